/* Prints what pt2trace finds in a trace, and the functions that took longest to compile: cc findings.c -lpt2trace */
#include <inttypes.h>
#include <pt2trace.h>
#include <stdio.h>

static int print_row(void *object, const struct pt2trace_value *row)
{
    int *rows = object;

    printf("%8.3f s  %s\n", pt2trace_real(pt2trace_member(row, "seconds"), 0),
           pt2trace_text(pt2trace_member(row, "frame_name")));
    return ++*rows < 5; /* no more than five */
}

int main(int argc, char **argv)
{
    struct pt2trace *t = pt2trace_open((const char *const *)argv + 1, argc > 1 ? (size_t)argc - 1 : 0, 0);
    const struct pt2trace_value *findings = pt2trace_get(t, "findings");
    int rows = 0, status = 1;

    if (pt2trace_error(t)) {
        fprintf(stderr, "%s\n", pt2trace_error(t));
        goto end;
    }
    printf("%" PRId64 " graph breaks\n", pt2trace_integer(pt2trace_get(t, "totals.graph_breaks"), 0));
    for (size_t i = 0; i < pt2trace_size(findings); i++) {
        const struct pt2trace_value *f = pt2trace_at(findings, i);

        printf("%s: %s\n", pt2trace_text(pt2trace_member(f, "severity")), pt2trace_text(pt2trace_member(f, "title")));
    }
    if (pt2trace_query(t, "SELECT frame_name, sum(duration_s) AS seconds FROM compiles GROUP BY 1 ORDER BY 2 DESC, 1",
                       print_row, &rows))
        fprintf(stderr, "%s\n", pt2trace_error(t));
    status = 0;
end:
    pt2trace_close(t);
    return status;
}
