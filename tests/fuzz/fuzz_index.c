/*
 * A database of `pt2trace index` of any bytes: it is refused with a reason, or its page is written, runs are removed
 * from it and others are added. What SQLite finds damaged on the way ends that one step.
 */
#include "analysis/analyze.h"
#include "fuzz.h"

#include "output/index/index_page.h"
#include "output/index/index_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct index_words words = {.commit = "c0ffee", .host = "h", .label = "l"};

/* A file in a temporary directory, in memory where that can be: SQLite has a journal beside it, and waits for disks. */
struct place {
    char folder[256], file[300];
};

static struct place place_new(const uint8_t *data, size_t size)
{
    struct place p;
    const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : temp_file_dir();
    FILE *f;

    snprintf(p.folder, sizeof p.folder, "%s/fuzz-index-XXXXXX", base);
    fuzz_check(mkdtemp(p.folder) != NULL, "a temporary directory can be made");
    snprintf(p.file, sizeof p.file, "%s/db", p.folder);
    if (!data)
        return p;
    f = fopen(p.file, "w");
    fuzz_check(f && fwrite(data, 1, size, f) == size && fclose(f) == 0, "a temporary file can be written");
    return p;
}

static void place_remove(const struct place *p)
{
    static const char *const ends[] = {"", "-journal", "-wal", "-shm"};
    char name[320];

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(name, sizeof name, "%s%s", p->file, ends[i]);
        unlink(name);
    }
    fuzz_check(rmdir(p->folder) == 0, "nothing else lies beside a database");
}

static bool add(struct arena *a, struct database *d, struct run *r, const char *path)
{
    struct index_source s = {.path = str_of(path)};
    struct answers answers;
    struct view v = {.run = r, .scratch = arena_new(), .answers = &answers};
    bool copy = false, good;

    analyze(a, r, fuzz_pool(), &answers);
    vec_push(a, &s.files, ((struct index_file){str_of(path), 1, 1}));
    good = index_begin(d, &s) && index_note_copy(d, &s, &copy) && index_add_run(d, &s, 0, &v) &&
           index_describe(d, &s, &words) && index_commit(d);
    arena_free(v.scratch);
    return good;
}

static void use(struct arena *a, struct database *d)
{
    struct run *r = fuzz_read(NULL, 0);
    struct buf text = {0};
    struct sink sink = sink_to_buf(&text);
    size_t places = 0;
    json_t *rows = index_regressions(d, false);

    for (size_t i = 0; i < json_array_size(rows); i++)
        fuzz_check(index_regression_line(a, json_array_get(rows, i)).n, "each difference has a line");
    json_decref(rows);
    index_page_write(&sink, d, STR("title"));
    if (add(a, d, r, "/y") && index_remove(d, STR("/x"), &places) >= 0)
        index_remove(d, STR("/"), &places);
    buf_free(&text);
    run_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct place p = place_new(data, size);
    struct arena *a = arena_new();
    struct str why = {0};
    struct database *d = index_open(a, p.file, &why);

    if (d) {
        use(a, d);
        database_close(d);
    } else {
        fuzz_check(why.n, "a database that is refused has a reason");
    }
    arena_free(a);
    place_remove(&p);
    return 0;
}

/* The database of a trace: the only run, and the second of its program. */
void fuzz_seed(const uint8_t *data, size_t size, void (*take)(struct str bytes))
{
    struct place p = place_new(NULL, 0);
    struct arena *a = arena_new();
    struct run *r = fuzz_read(data, size);
    struct str why;
    struct database *d = index_open(a, p.file, &why);
    struct buf bytes = {0};

    fuzz_check(d != NULL, "a new database can be made");
    add(a, d, r, "/x/1");
    add(a, d, r, "/x/2");
    database_close(d);
    fuzz_check(read_file(p.file, SIZE_MAX, &bytes) == 0, "the database can be read");
    take(buf_view(&bytes));
    buf_free(&bytes);
    run_free(r);
    arena_free(a);
    place_remove(&p);
}
