/*
 * answers_text: traces whose answers are looked at. What Dynamo records of a compile is added in one call, as PyTorch
 * 2.13 writes it; all of it happens in /x.py. Before the first start, or for another process, nothing else is needed.
 *
 *     struct trace_text t = {0};
 *     const struct answers *a;
 *
 *     trace_start(&t, IN(0, 0, 0), "f", 5);
 *     trace_break(&t, IN(0, 0, 0), "Call to `print`", "f", 7);
 *     trace_metrics(&t, IN(0, 0, 1), "\"graph_op_count\": 3");
 *     a = answers_of(trace_run(&t));
 *     ...
 *     answers_free(a);
 */
#pragma once

#include "analysis/analyze.h"
#include "trace_text.h"

#include "analysis/answers/answers.h"
#include "analysis/find/finding.h"

/* IN for numbers that are not literals; the last eight stay valid. */
static inline const char *trace_ids(int frame, int compile, int attempt)
{
    static char texts[8][100];
    static unsigned next;
    char *text = texts[next++ % 8];

    snprintf(text, sizeof texts[0], "\"frame_id\": %d, \"frame_compile_id\": %d, \"attempt\": %d", frame, compile,
             attempt);
    return text;
}

/* Entry 0 of the string table. Each process needs it before it starts a compile. */
static inline void trace_file(struct trace_text *t)
{
    trace_record(t, "{\"str\": [\"/x.py\", 0]}");
}

/* A compile of the function that begins at `line` starts; it was called from line 100. */
static inline void trace_start(struct trace_text *t, const char *ids, const char *function, int line)
{
    trace_recordf(t,
                  "{\"dynamo_start\": {\"stack\": [{\"line\": 100, \"name\": \"<module>\", \"filename\": 0, \"loc\": "
                  "\"main()\"}, {\"line\": %d, \"name\": \"%s\", \"filename\": 0}]}, %s}",
                  line, function, ids);
}

/* The metrics with which a compile ends; `fields` as in JSON. */
static inline void trace_metrics(struct trace_text *t, const char *ids, const char *fields)
{
    trace_recordf(t, "{\"compilation_metrics\": {%s}, %s}", fields, ids);
}

/* A graph break in `function`, at a line of its own. */
static inline void trace_break(struct trace_text *t, const char *ids, const char *type, const char *function, int line)
{
    struct buf text = {0};

    buf_printf(&text,
               "Graph break in user code at /x.py:%d\nGraph Break Reason: %s\n  Explanation: It is so.\n  Hint: Let it "
               "be.\n\n  Developer debug context: none\n\nUser code traceback:\n  File \"/x.py\", line 100, in "
               "<module>\n    main()\n  File \"/x.py\", line %d, in %s\n    source_%d()\n",
               line, type, line, function, line);
    buf_char(&text, '\0');
    trace_artifact(t, "dynamo_graph_break_reason", ids, text.p);
    buf_free(&text);
}

/* The exception that ended a compile, from its traceback. */
static inline void trace_error(struct trace_text *t, const char *ids, const char *type, const char *message, int line)
{
    struct buf text = {0};

    buf_printf(&text,
               "Traceback (most recent call last):\n  File \"/venv/lib/python3.11/site-packages/torch/_dynamo/"
               "convert_frame.py\", line 1, in _compile\n    x()\n%s: %s\n\nfrom user code:\n   File \"/x.py\", line "
               "%d, in f\n    source_%d()\n",
               type, message, line, line);
    buf_char(&text, '\0');
    trace_artifact(t, "dynamo_error", ids, text.p);
    buf_free(&text);
}

static inline const struct answers *answers_of(struct run *r)
{
    struct answers *a = ARENA_NEW(r->arena, struct answers);

    analyze(r->arena, r, NULL, a);
    return a;
}

static inline const struct answers *answers_of_trace(struct trace_text *t)
{
    return answers_of(trace_run(t));
}

/* With its run. */
static inline void answers_free(const struct answers *a)
{
    run_free((struct run *)a->run);
}

/* "0/0", with the process where there are several: "1:0/0". */
static inline struct str answers_id(const struct answers *a, const struct compile *c)
{
    struct str id = compile_id_print(a->run->arena, c->id);

    return a->run->processes.n > 1 ? arena_printf(a->run->arena, "%u:%.*s", c->process->index, STR_ARG(id)) : id;
}

/* The finding of that id, or NULL. */
static inline const struct finding *answers_finding(const struct answers *a, const char *id)
{
    for (size_t i = 0; i < a->findings->list.n; i++)
        if (str_eq(a->findings->list.v[i]->id, str_of(id)))
            return a->findings->list.v[i];
    return NULL;
}

/* "high graph-break, low recompile": all of them, worst first. */
static inline struct str answers_findings(const struct answers *a)
{
    struct str out = STR("");

    for (size_t i = 0; i < a->findings->list.n; i++) {
        const struct finding *x = a->findings->list.v[i];

        out = arena_printf(a->run->arena, "%.*s%s%s %.*s", STR_ARG(out), i ? ", " : "",
                           finding_severity_name(x->severity), STR_ARG(x->id));
    }
    return out;
}
