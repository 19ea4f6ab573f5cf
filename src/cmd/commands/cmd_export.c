#include "cmd/commands/cmd.h"
#include "cmd/complain.h"
#include "cmd/session.h"

#include "output/export/export.h"
#include "util/utf8.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Standard output, written in pieces, because a format may be too large to keep in memory. */
struct pipe {
    struct buf buf;
    int error;
    bool terminal; /* the whole output is then kept, because a piece may end inside a character */
};

enum { PIECE = 64 * 1024 };

static void flush(struct pipe *p)
{
    if (p->terminal)
        utf8_make_harmless(p->buf.p, p->buf.n, true);
    if (p->error == 0)
        p->error = write_all(STDOUT_FILENO, p->buf.p, p->buf.n);
    p->buf.n = 0;
}

static void write_pipe(void *object, struct str s)
{
    struct pipe *p = object;

    buf_str(&p->buf, s);
    if (p->buf.n >= PIECE && !p->terminal)
        flush(p);
}

/* A read error is an error of the input, a write error one of the output. */
static int failed(const struct session *s, const char *what, int rc)
{
    complain("%s: %s", rc == -EIO ? s->options->args[0] : what, strerror(-rc));
    return EXIT_IO;
}

static int to_stdout(struct session *s, const struct export_format *f, struct view *v, const struct about *about)
{
    struct pipe p = {.terminal = isatty(STDOUT_FILENO) != 0};
    struct sink sink = {.write = write_pipe, .object = &p};
    int rc = f->write(&sink, v, about);

    flush(&p);
    buf_free(&p.buf);
    if (rc)
        return failed(s, s->options->args[0], rc);
    return p.error && p.error != -EPIPE ? failed(s, "standard output", p.error) : EXIT_DONE;
}

static int to_file(struct session *s, const struct export_format *f, struct view *v, const struct about *about)
{
    struct outfile out;
    int rc = outfile_open(&out, s->options->output);
    struct sink sink;

    if (rc)
        return failed(s, s->options->output, rc);
    sink = sink_to_outfile(&out);
    rc = f->write(&sink, v, about);
    if (rc) {
        outfile_abort(&out);
        return failed(s, s->options->args[0], rc);
    }
    rc = outfile_commit(&out);
    return rc ? failed(s, s->options->output, rc) : EXIT_DONE;
}

/* "DIR/", or an existing directory. */
static bool is_directory(const char *path)
{
    struct stat st;

    return str_ends(str_of(path), STR("/")) || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

static int write_to(struct session *s, const struct export_format *f, struct view *v)
{
    struct str error = {0};
    int rc = f->write_to(s->options->output, v, &error);

    if (error.n)
        complain("%.*s", STR_ARG(error));
    else if (rc)
        complain("%s: %s", s->options->output, strerror(-rc));
    return rc ? EXIT_IO : EXIT_DONE;
}

static int export(struct session *s, const struct export_format *f)
{
    struct view v = {.answers = &s->answers, .run = s->run, .scratch = arena_new()};
    struct about about = session_about(s);
    int rc;

    if (f->write_to && (!f->write || !f->to_directory || is_directory(s->options->output)))
        rc = write_to(s, f, &v);
    else
        rc = strcmp(s->options->output, "-") == 0 ? to_stdout(s, f, &v, &about) : to_file(s, f, &v, &about);
    arena_free(v.scratch);
    return rc;
}

int cmd_export(const struct options *o)
{
    struct trace_options trace = {.check_digests = !o->no_verify};
    const struct export_format *f = export_find(o->format);
    struct session s;
    int rc = session_begin(&s, o, o->args, (size_t)o->args_n, &trace);

    if (rc == EXIT_DONE)
        rc = export(&s, f);
    return session_finish(&s, rc);
}
