/*
 * page_objects: the objects of the page, as JSON. The rows in view/sections define the members, and page_rows.h makes
 * the functions. templates/NAME.mustache is filled with page_NAME, unless other templates include it.
 */
#pragma once

#include "view/view.h"

/* Calls: the first of them, or n that are folded. */
struct stack_row {
    const struct call *const *calls;
    size_t n;
};

struct page_head {
    const struct about *about;
    struct str csp, css;
    unsigned reload_s;         /* 0: never */
    const char *custom_header; /* may be NULL */
};

struct cache_rows {
    uint64_t n, same, hidden; /* all, those that ranks repeat, and those that are not shown */
};

/* The worst finding is open; the consequences of a finding are inside it. */
enum page_finding_role { PAGE_VERDICT, PAGE_CAUSE, PAGE_CONSEQUENCE };

struct page_finding {
    const struct finding *finding;
    enum page_finding_role role;
};

/* The causes of a kind. */
struct page_finding_group {
    size_t kind;
    const struct finding *const *list;
    size_t n;
};

struct same_things {
    uint64_t n;
    const char *one, *many;
};

/* Of report.json, and of the file that makes the object. */
struct symbol_of_compile;
struct export_issue_of_compile;
struct fixed_size;
struct trial_stack;
struct trial_change;
struct trial_check;
struct trial;
struct fix;
struct experiment;
struct question;
struct matrix_row;
struct matrix_cell;
struct rank_artifacts;
struct rank_step;
struct schedule_row;
struct flight_row;
struct called_region;
struct device_state;
struct gpu_device;
struct gpu_sum;
struct gpu_gap;
struct gpu_kernel;
struct graph_item;
struct kernel;
struct kernel_place;
struct cache_total;
struct key_changes;
struct key_change;
struct full_config;
struct config_value;
struct config_change;
struct next_trace_tip;
struct next_trace;
struct record_kind;
struct section_link;
struct headline_fact;
struct health;
struct tile;
struct trie_shown;
struct trie_row;
struct flame;
struct flame_rect;
struct longest_compile;
struct event_row;
struct phase_row;
struct vllm;
struct numbered_call;
struct vllm_setting;
struct vllm_matrix;
struct vllm_row;
struct vllm_cell;
struct vllm_piece;
struct op_estimate_list;
struct op_estimates;
struct operator_share;
struct guard_tree_shown;
struct guard_changes;
struct guard_list;
struct guard_node;
struct frequency;
struct pass_comparisons;
struct pass_comparison;
struct heading;
struct pipeline_item;
struct artifact_pair;
struct compile_events;
struct compile_event;
struct tensor_list;
struct metrics_of_compile;
struct metric_rows;
struct metric_row;
struct finding_spot;
struct evidence_list;
struct evidence_entry;
struct left_out;
struct example_part;
struct severity_count;
struct entry_link;
struct size_guard;
struct word;
struct listed_link;
struct link_list;

#include "view/rows_none.def"
#define OBJECT(name, subject)                                                                                          \
    json_t *page_##name(const struct view *v, subject);                                                                \
    json_t *page_put_##name(const struct view *v, json_t *o, subject);

#include "view/sections/all.def"

#include "view/rows_end.def"
