/* assets: the templates, styles and scripts of the report, compiled into the binary by tools/embed from templates/. */
#pragma once

#include "output/html/mustache.h"

extern const struct template_text asset_templates[];
extern const size_t asset_template_count;

extern const struct str asset_css, asset_js;

/* The Content-Security-Policy of the page: only this style and this script, by their hashes, and no requests at all. */
extern const struct str asset_csp;

/* The same for the page of `pt2trace index`, which has its own script. */
extern const struct str asset_runs_js, asset_runs_csp;
