#include "input/debug_file.h"

enum file_place {
    IN_GRAPH = 1, /* in the folder of one graph */
    IN_RUN = 2,   /* anywhere else below the folder of a run */
};

struct debug_file_row {
    unsigned places;
    struct str folder;        /* the folder that contains it, at any depth; empty for any */
    struct str begin, end;    /* of the file's name */
    /* as in struct debug_file; `name` may be "*", which means the file's own name without its ending */
    struct str name, why_not;
};

#define ROW(places, folder, begin, end, name, why_not)                                                                 \
    {places, STR_INIT(folder), STR_INIT(begin), STR_INIT(end), STR_INIT(name), STR_INIT(why_not)}

/* The first matching row counts. */
static const struct debug_file_row rows[] = {
    ROW(IN_GRAPH, "", "fx_graph_", ".py", "*", ""),
    ROW(IN_GRAPH, "", "ir_pre_fusion", ".txt", "*", ""),
    ROW(IN_GRAPH, "", "ir_post_fusion", ".txt", "*", ""),
    ROW(IN_GRAPH, "", "output_code.", "", "inductor_output_code", ""),
    ROW(IN_GRAPH, "", "inductor_provenance_tracking_", ".json", "*", ""),
    ROW(IN_GRAPH, "", "autotuning_result_json_list", ".txt", "*", ""),
    ROW(IN_GRAPH, "", "debug", ".log", "inductor_debug_log", ""),
    ROW(IN_GRAPH, "", "info", ".log", "inductor_info_log", ""),
    ROW(IN_GRAPH, "", "compile", ".stats", "compile_profile", ""),
    ROW(IN_GRAPH, "", "compile", ".prof", "", "a profile of cProfile: compile.stats next to it has the same data"),
    ROW(IN_GRAPH, "", "", ".tar.gz", "", "an archive of the files next to it"),
    ROW(IN_GRAPH | IN_RUN, "", "", ".svg", "", "a picture: open it in a browser"),
    ROW(IN_GRAPH | IN_RUN, "", "", ".png", "", "a picture: open it in a browser"),
    ROW(IN_GRAPH | IN_RUN, "", "", ".so", "", "compiled code"),
    ROW(IN_GRAPH | IN_RUN, "", "", ".o", "", "compiled code"),
    ROW(IN_GRAPH | IN_RUN, "", "", ".cubin", "", "compiled code"),
    ROW(IN_GRAPH | IN_RUN, "", "", ".pyc", "", "compiled code"),
    ROW(IN_GRAPH | IN_RUN, "storages", "", "", "", "tensor values, read by the programs next to it"),
    ROW(IN_GRAPH | IN_RUN, "hashes", "", "", "", "tensor values, read by the programs next to it"),
    ROW(IN_RUN, "error_recordings", "", ".rec", "", "a recording for torch._dynamo.replay_record"),
    ROW(IN_RUN, "torchinductor", "aot_", "_debug.log", "aot_debug_log", ""),
    ROW(IN_RUN, "checkpoints", "", ".py", "minifier_checkpoint", ""),
    ROW(IN_RUN, "minifier", "minifier_launcher", ".py", "minifier_launcher", ""),
    ROW(IN_RUN, "", "repro", ".py", "minifier_repro", ""),
};

#undef ROW

/* "run_2026_11_21_08_10_31_248992-pid_357". */
static bool parse_run(struct str folder, struct glog *out)
{
    uint64_t n[7];

    if (!str_consume(&folder, STR("run_")))
        return false;
    for (size_t i = 0; i < sizeof n / sizeof *n; i++)
        if (!str_take_u64(&folder, &n[i]) || !str_consume(&folder, i < 6 ? STR("_") : STR("-pid_")))
            return false;
    if (!str_u64(folder, &out->number) || n[0] < 1970 || n[0] > 9999 || n[1] < 1 || n[1] > 12 || n[2] < 1 || n[2] > 31)
        return false;
    if (n[3] > 23 || n[4] > 59 || n[5] > 60 || n[6] > 999999)
        return false;
    out->year = (uint16_t)n[0];
    out->month = (uint8_t)n[1];
    out->day = (uint8_t)n[2];
    out->time_us = (int64_t)((n[3] * 3600 + n[4] * 60 + n[5]) * 1000000 + n[6]);
    return true;
}

/* Takes ".0" or "_0" off the end. */
static bool drop_number(struct str *s, char mark)
{
    ptrdiff_t at = str_rchr(*s, mark);
    uint64_t number;

    if (at <= 0 || !str_u64(str_skip(*s, (size_t)at + 1), &number))
        return false;
    *s = str_take(*s, (size_t)at);
    return true;
}

static bool is_graph_folder(struct str folder)
{
    if (str_ends(folder, STR(".debug")))
        return true;
    return drop_number(&folder, '.') && drop_number(&folder, '_') && str_has(folder, STR("__"));
}

/* Whether the path leads through a folder of that name. */
static bool lies_in(struct str path, struct str folder)
{
    while (path.n) {
        struct str part = str_split(&path, '/');

        if (path.n && str_eq(part, folder))
            return true;
    }
    return false;
}

/* The path of the folder that contains a file or folder. */
static struct str around(struct str path)
{
    ptrdiff_t slash = str_rchr(path, '/');

    return slash > 0 ? str_take(path, (size_t)slash) : (struct str){0};
}

static bool row_fits(const struct debug_file_row *r, unsigned place, struct str path, struct str file)
{
    return (r->places & place) && file.n >= r->begin.n + r->end.n && str_starts(file, r->begin) &&
           str_ends(file, r->end) && (r->folder.n == 0 || lies_in(path, r->folder));
}

static void use_row(const struct debug_file_row *r, struct str file, struct debug_file *out)
{
    out->why_not = r->why_not;
    out->name = str_eq(r->name, STR("*")) ? str_drop(file, r->end.n) : r->name;
    if (out->graph.n == 0 && out->name.n)
        out->graph = str_drop(file, r->end.n);
}

struct debug_file debug_file_of(struct str path)
{
    struct debug_file out = {0};
    struct str file = str_file_name(path), below = path, folder = around(path);
    bool in_run = false;

    for (; folder.n && !in_run; folder = around(folder)) {
        struct str part = str_file_name(folder);

        in_run = parse_run(part, &out.began);
        below = in_run ? str_skip(path, folder.n) : below;
        if (!out.graph.n && is_graph_folder(part))
            out.graph = part;
    }
    for (size_t i = 0; (in_run || out.graph.n) && i < sizeof rows / sizeof *rows; i++)
        if (row_fits(&rows[i], out.graph.n ? IN_GRAPH : IN_RUN, below, file)) {
            use_row(&rows[i], file, &out);
            return out;
        }
    out.is_log = in_run && lies_in(below, STR("torchdynamo")) && str_eq(file, STR("debug.log"));
    return out;
}

bool debug_file_aot_id(struct str graph, uint64_t *id)
{
    ptrdiff_t at;

    if (!drop_number(&graph, '.') || !drop_number(&graph, '_'))
        return false;
    at = str_find(graph, STR("__"));
    for (ptrdiff_t next; at >= 0 && (next = str_find(str_skip(graph, (size_t)at + 2), STR("__"))) >= 0;)
        at += next + 2;
    graph = at < 0 ? (struct str){0} : str_skip(graph, (size_t)at + 2);
    return str_take_u64(&graph, id) && str_starts(graph, STR("_"));
}
