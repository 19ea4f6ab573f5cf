/*
 * index_page: the page of `pt2trace index --report`: the runs of a database, how they changed from one to the next of
 * the same program, and what got worse. One thread.
 */
#pragma once

#include "output/index_store.h"
#include "util/file.h"

/* Writes it. False when the database cannot be read, see database_error. */
bool index_page_write(struct sink *out, struct database *d, struct str title);
