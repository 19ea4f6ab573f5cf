#include "cmd/commands/cmd.h"
#include "cmd/complain.h"
#include "cmd/session.h"

#include "digest/digest_file.h"
#include "ranks/ranks.h"
#include "util/system/file.h"
#include "view/format.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

/* An existing file that is not a digest belongs to someone else, and is kept. */
static bool may_write(const char *path)
{
    struct buf beginning = {0};
    struct source s;
    struct stat st;
    bool ours;

    if (stat(path, &st) != 0)
        return true; /* it does not exist, or writing it will give the error */
    ours = S_ISREG(st.st_mode) && st.st_size == 0;
    if (S_ISREG(st.st_mode) && source_open(&s, path, false) == 0) {
        buf_added(&beginning, source_read(&s, buf_room(&beginning, 4096), 4096));
        source_close(&s);
        ours |= digest_sniff(buf_view(&beginning));
    }
    buf_free(&beginning);
    return ours;
}

static int write_digest(struct session *s)
{
    const char *path = s->options->output;
    int rc = may_write(path) ? digest_write(path, s->run) : -EEXIST;

    if (rc == -EEXIST)
        complain("%s: something that is not a digest exists there; it is left alone. Use -o FILE", path);
    else if (rc)
        complain("%s: %s. No digest was written; -o FILE chooses another place", path, strerror(-rc));
    return rc ? EXIT_IO : EXIT_DONE;
}

static void say_what(struct text *t, const struct options *o, const struct run *r)
{
    struct stat st;

    text_str(t, TEXT_DIM, STR("Digest    "));
    text_str(t, TEXT_BOLD, str_of(o->output));
    if (stat(o->output, &st) == 0)
        text_printf(t, TEXT_PLAIN, " (%.*s of %.*s)", STR_ARG(format_bytes(t->arena, (uint64_t)st.st_size)),
                    STR_ARG(format_inputs(t->arena, r)));
    text_newline(t);
}

/* Also writes files without records: where all ranks are merged, it matters that a rank wrote nothing. */
int cmd_digest(const struct options *o)
{
    struct trace_options trace = {.check_digests = !o->no_verify};
    struct session s;
    int rc = session_read(&s, o, &trace), written;

    if (rc == EXIT_DONE || rc == EXIT_NOTHING) {
        ranks_keep_contents(s.run);
        session_redact_inputs(&s);
        written = write_digest(&s);
        rc = written ? written : rc;
    }
    if (rc == EXIT_DONE && !o->quiet) {
        struct text t = session_text(&s);

        say_what(&t, o, s.run);
        rc = session_print(&s, &t);
    }
    return session_finish(&s, rc);
}

/* Merges several digests into one digest, or makes a report from them. */
int cmd_merge(const struct options *o)
{
    return str_ends(str_of(o->output), STR(".digest")) ? cmd_digest(o) : cmd_report(o);
}
