#include "relaunch/launch/family.h"

#include "util/mem.h"
#include "util/system/file.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

struct member {
    pid_t pid, parent, group;
    char state;
    bool ours;
};

struct family {
    struct member *list;
    size_t n, cap;
};

enum { STAT_MAX = 4096, STATUS_MAX = 1 << 16 };

void family_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static bool read_proc(pid_t pid, const char *name, size_t max, struct buf *text)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    return read_file(path, max, text) == 0;
}

/* "PID (name) STATE PARENT GROUP ...": a name may contain anything, even a ')'. False if the process is gone. */
static bool read_member(pid_t pid, struct member *m)
{
    struct buf text = {0};
    uint64_t parent = 0, group = 0;
    ptrdiff_t end;
    bool found = false;

    if (read_proc(pid, "stat", STAT_MAX, &text) && (end = str_rchr(buf_view(&text), ')')) >= 0) {
        struct str rest = str_skip(buf_view(&text), (size_t)end + 2);

        *m = (struct member){.pid = pid, .state = rest.n ? rest.p[0] : 'X'};
        rest = str_skip(rest, 2);
        found = str_take_u64(&rest, &parent) && str_consume(&rest, STR(" ")) && str_take_u64(&rest, &group);
        m->parent = (pid_t)parent;
        m->group = (pid_t)group;
        m->ours = m->parent == getpid();
    }
    buf_free(&text);
    return found && m->state != 'Z' && m->state != 'X';
}

static void find_all(struct family *f)
{
    DIR *proc = opendir("/proc");
    struct dirent *entry;

    while (proc && (entry = readdir(proc))) {
        struct member m;
        uint64_t pid;

        if (!str_u64(str_of(entry->d_name), &pid) || !read_member((pid_t)pid, &m))
            continue;
        if (f->n == f->cap) {
            f->cap = f->cap ? f->cap * 2 : 256;
            f->list = xrealloc(f->list, f->cap * sizeof *f->list);
        }
        f->list[f->n++] = m;
    }
    if (proc)
        closedir(proc);
}

static int by_pid(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    return x->pid < y->pid ? -1 : x->pid > y->pid;
}

/* Children of members are members. Works down one generation at a time, because pids are in no order. */
static void mark_descendants(struct family *f)
{
    if (f->n)
        qsort(f->list, f->n, sizeof *f->list, by_pid);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < f->n; i++) {
            const struct member key = {.pid = f->list[i].parent}, *parent;

            if (f->list[i].ours)
                continue;
            parent = bsearch(&key, f->list, f->n, sizeof *f->list, by_pid);
            if (parent && parent->ours)
                more = f->list[i].ours = true;
        }
    }
}

/* The line "SigCgt:\t0000000180004002" in /proc/PID/status has a bit for each signal with a handler. */
static bool catches(pid_t pid, int signal)
{
    struct buf text = {0};
    struct str rest, line;
    bool found = false;

    if (read_proc(pid, "status", STATUS_MAX, &text))
        for (rest = buf_view(&text); !found && str_next_line(&rest, &line);)
            if (str_consume(&line, STR("SigCgt:\t")))
                found = strtoull(line.p, NULL, 16) >> (signal - 1) & 1;
    buf_free(&text);
    return found;
}

static bool is_part(const struct member *m, enum family_part part, pid_t group, int signal)
{
    switch (part) {
    case FAMILY_GROUP:
        return m->group == group;
    case FAMILY_STOPPED:
        return m->state == 'T';
    case FAMILY_CATCHING:
        return catches(m->pid, signal);
    default:
        return true;
    }
}

size_t family_signal(enum family_part part, pid_t group, int signal)
{
    struct family f = {0};
    size_t n = 0;

    find_all(&f);
    mark_descendants(&f);
    for (size_t i = 0; i < f.n; i++)
        if (f.list[i].ours && is_part(&f.list[i], part, group, signal) && kill(f.list[i].pid, signal) == 0)
            n++;
    free(f.list);
    return n;
}
