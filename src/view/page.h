/*
 * page: JSON for the templates of the HTML report, in the order of its sections. Facts (view.h) are for programs; this
 * JSON is for people: numbers are formatted, places are short with the full path next to them, compiles are links.
 * page_objects.h has the objects that rows define. No HTML.
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
json_t *page_next_trace(const struct view *v);

/* The approximate size of page_compile as HTML, for the size budget of the page. */
uint64_t page_compile_size(const struct compile *c);

/*
 * How important a compile is if not everything fits: errors, breaks, recompiles, then the slowest. Higher comes first.
 */
int64_t page_compile_weight(const struct compile *c);
