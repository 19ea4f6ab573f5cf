/*
 * page: JSON for the templates of the HTML report, in the order of its sections. Facts (view.h) are for programs; this
 * JSON is for people: numbers are formatted, places are short with the full path next to them, compiles are links.
 * The rows of view/sections define the objects; templates/NAME.mustache is filled with page_NAME. No HTML.
 */
#pragma once

#include "view/view.h"

/* How much of long lists a page shows; the rest is counted, and is in the payloads and in report.json. */
enum {
    PAGE_GUARDS_MAX = 400,
    PAGE_CHANGES_MAX = 40, /* guards that only one of two compiles has */
    PAGE_TENSORS_MAX = 200,
    PAGE_METRIC_TEXT_MAX = 2000,
    PAGE_EVIDENCE_MAX = 12,
    PAGE_STACK_ROWS_MAX = 4000,
    PAGE_MARKS_MAX = 50,   /* compiles at one line of a stack */
    PAGE_STEPS_MAX = 100,  /* recompiles of one frame */
    PAGE_REASONS_MAX = 20, /* reasons of one recompile, and hints of one break */
    PAGE_ROWS_MAX = 1000,  /* rows of tables that are short in any real trace */
    PAGE_STACKS_MAX = 20,
    PAGE_ITEMS_MAX = 100,        /* links, restarts, … of one compile */
    PAGE_TEXT_MAX = 6000,        /* bytes of one text: a message, a guard */
    PAGE_FLAME_EVENTS_MAX = 500, /* events drawn without a script */
    PAGE_FLAME_DATA_MAX = 5000,
};

/* --- pieces ------------------------------------------------------------------------------------------------------- */

/* "graph break"; "-" for records without a compile id. */
struct str page_status_word(const struct compile *c);
/* "c-0_1", with process and epoch unless they are the first. Also used as a directory name, without "c-". */
struct str page_anchor(struct arena *a, const struct compile *c);
/* "a-0-12": an artifact, in the entry of its compile. */
struct str page_artifact_anchor(struct arena *arena, const struct artifact *a);
/*
 * Whether another rank's compile represents this one: the page has one row for ranks that did the same. If this
 * applies to all compiles of a process, it also applies to its records without a compile id.
 */
bool page_is_repeated(const struct view *v, const struct compile *c);
/* "ranks 0-36, 38-63": the ranks that a compile represents; empty if it represents only itself. */
struct str page_alike(const struct view *v, const struct compile *c);
/* n things of ranks that did the same are left out; null for 0. */
json_t *page_repeated(const struct view *v, size_t n, const char *one, const char *many);
/* "rank 3, process 1234" */
struct str page_process_name(const struct view *v, const struct process *p);
/* The anchor of the chain of recompiles of a function. */
struct str page_chain_anchor(struct arena *a, const struct frame *f);
/*
 * The files of code that PyTorch generated while the program ran, such as "<eval_with_key>.5": name -> the artifact
 * with the text, to which places in the file link. Names of several texts are left out. In the arena.
 */
struct map *page_generated_files(struct arena *a, const struct run *r);

/* Names such as "utils.py" that several files in the run's stacks have; they map to the map itself. In the arena. */
struct map *page_twins(struct arena *a, const struct run *r);

/*
 * {"text": "b.py:12", "path": "/a/b.py", "line": 12}; "a/b.py:12" if there is another b.py in the run. null without a
 * file.
 */
json_t *page_place(const struct view *v, struct str file, int64_t line);
/* How many of n are not shown, in words; empty if all are. */
struct str page_hidden(const struct view *v, size_t n, size_t shown);
/* Text of any length, cut at PAGE_TEXT_MAX with an ellipsis; null if empty. */
json_t *page_text(const struct view *v, struct str s);
/* Text with `code` in it, as a list of {"text"} and {"code"}; and the first texts of a list. */
json_t *page_words(struct str s);
json_t *page_words_of(const struct str *list, size_t n, size_t most);
/*
 * [{compile links}], at most PAGE_EVIDENCE_MAX, and the number of the others, plus `more` that are not in the list. A
 * compile that did the same as a linked one counts as one of the others.
 */
json_t *page_link_list(const struct view *v, const struct compile *const *list, size_t n, uint64_t more);

/* The first two artifacts with the same name in two compiles (NULL: none) that differ, if a reader can open both. */
bool page_find_pair(const struct view *v, const struct compile *a, const struct compile *b, struct str name,
                    const struct artifact **from, const struct artifact **to);

json_t *page_stages(const struct view *v, const struct compile *c);
/* Graphs before and after passes, the calls of vLLM, and Inductor's estimates; null if there are none. */
json_t *page_passes_of(const struct view *v, const struct compile *c);
json_t *page_vllm_of(const struct view *v, const struct compile *c);
json_t *page_estimates_of(const struct view *v, const struct compile *c);
/* Its guards, and how they differ from those of the previous compile; null if the trace does not have them. */
json_t *page_guards(const struct view *v, const struct compile *c);
/* Their anchor in the page; empty if they are not in it. */
struct str page_guards_anchor(const struct view *v, const struct compile *c);

/* The address; empty unless it is safe to follow. */
struct str page_url(struct str url);
/* The entry of a thing (see evidence_entry), if findings are about it; else NULL. */
const struct evidence_entry *page_entry(const struct view *v, const void *thing);
/* The anchor of the entry of a break, a chain or an error. */
struct evidence_entry;
struct str page_evidence_anchor(struct arena *a, const struct evidence_entry *entry);

/* --- sections ----------------------------------------------------------------------------------------------------- */

/*
 * The script that was run: where all stacks begin. Empty if they begin in several files, or if the trace does not say.
 */
struct str page_program(const struct view *v);
/* The worst finding is open; the consequences of a finding are inside it. */
enum page_finding_role { PAGE_VERDICT, PAGE_CAUSE, PAGE_CONSEQUENCE };
enum { PAGE_FINDING_KINDS = 7 };
size_t page_finding_kind(const struct finding *x);      /* below PAGE_FINDING_KINDS */
bool page_finding_has_example(const struct finding *x); /* page_example is for findings that have one */
/* page_left_out for an entry or a finding that did not fit, if others link to it; else null. */
json_t *page_entry_left_out(const struct view *v, const void *thing);
json_t *page_finding_left_out(const struct view *v, const struct finding *x);
json_t *page_flame_of(const struct view *v, const struct process *p);
bool page_has_trie(const struct view *v, const struct process *p); /* page_trie_of is for processes that have one */
json_t *page_trie_of(const struct view *v, const struct process *p);
bool page_has_code(const struct compile *c); /* page_code is for compiles that have code */
json_t *page_experiment(const struct view *v);                         /* null if no run.json was given */
json_t *page_gpu(const struct view *v);
json_t *page_ranks(const struct view *v);
json_t *page_schedules(const struct view *v, const struct rank_run *run); /* part of page_ranks */
json_t *page_flights(const struct view *v);                               /* part of page_ranks */
json_t *page_next_trace(const struct view *v);

/* The approximate size of page_compile as HTML, for the size budget of the page. */
uint64_t page_compile_size(const struct compile *c);

/*
 * How important a compile is if not everything fits: errors, breaks, recompiles, then the slowest. Higher comes first.
 */
int64_t page_compile_weight(const struct compile *c);

/* --- objects ------------------------------------------------------------------------------------------------------ */

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

#include "view/sections/artifacts.def"
#include "view/sections/caches.def"
#include "view/sections/code.def"
#include "view/sections/compile.def"
#include "view/sections/config.def"
#include "view/sections/estimates.def"
#include "view/sections/findings.def"
#include "view/sections/flame.def"
#include "view/sections/guards.def"
#include "view/sections/health.def"
#include "view/sections/issues.def"
#include "view/sections/next_trace.def"
#include "view/sections/overview.def"
#include "view/sections/page.def"
#include "view/sections/shapes.def"
#include "view/sections/stacks.def"
#include "view/sections/time.def"
#include "view/sections/vllm.def"

#include "view/rows_end.def"
