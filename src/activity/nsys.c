#include "activity/nsys.h"

#include "activity/maker.h"
#include "input/limits.h"
#include "util/formats/database.h"
#include "util/formats/json.h"
#include "util/number.h"

#include <sys/stat.h>

enum { MOST_PROCESSES = 4096 };

/* One table of activities. Columns that only some versions have are NULL in the others. */
struct nsys_table {
    enum gpu_kind kind;
    const char *name;
    const char *named; /* the SQL expression for an activity's name */
    const char *bytes;
    const char *counted;
};

static const struct nsys_table tables[] = {
    {GPU_KERNEL, "CUPTI_ACTIVITY_KIND_KERNEL", "demangledName", NULL, "nsys:kernel"},
    {GPU_COPY, "CUPTI_ACTIVITY_KIND_MEMCPY", "copyKind", "bytes", "nsys:copy"},
    {GPU_MEMSET, "CUPTI_ACTIVITY_KIND_MEMSET", NULL, "bytes", "nsys:memset"},
};

struct nsys {
    struct input *in;
    struct arena *scratch;
    struct database *file;
    int64_t base_ns;
    struct map processes; /* globalPid -> struct activity_maker */
    struct map strings;   /* id -> struct str */
    const struct nsys_table *table;
    uint64_t count;
};

bool nsys_sniff(struct str beginning)
{
    return str_starts(beginning, (struct str){"SQLite format 3", 16});
}

/* Only real tables and columns count: the rows of a view and the values of a generated column may never end. */
static bool has(struct nsys *n, const char *table, const char *column)
{
    json_t *values = json_new_array();

    json_push(values, json_of_str(str_of(table)));
    json_push(values, json_of_str(str_of(column)));
    return database_number(n->file,
                           "SELECT count(*) FROM pragma_table_info(?1) AS t, sqlite_schema AS s "
                           "WHERE t.name = ?2 AND s.name = ?1 AND s.type = 'table' AND s.rootpage > 0",
                           values) == 1;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static int64_t number(const json_t *row, const char *key)
{
    return json_integer_value(json_object_get(row, key));
}

/* Nsight's ids combine hardware, virtual machine, process and thread in 8, 8, 24 and 24 bits. */
static struct activity_maker *maker_of(struct nsys *n, int64_t global)
{
    void **slot = map_at_copy(&n->processes, MAP_KEY(global));

    if (!*slot) {
        if (n->processes.n > MOST_PROCESSES)
            return NULL;
        *slot = ARENA_NEW(n->scratch, struct activity_maker);
        activity_begin(*slot, n->in, n->scratch, STR("nsys"));
        ((struct activity_maker *)*slot)->gpu->pid = ((uint64_t)global >> 24) & 0xffffff;
    }
    return *slot;
}

/* The numbers of CUpti_ActivityMemcpyKind. */
static struct str copy_word(int64_t kind)
{
    static const struct str words[] = {STR_INIT("copy"), STR_INIT("HtoD"), STR_INIT("DtoH"), STR_INIT("HtoA"),
                                       STR_INIT("AtoH"), STR_INIT("AtoA"), STR_INIT("AtoD"), STR_INIT("DtoA"),
                                       STR_INIT("DtoD"), STR_INIT("HtoH"), STR_INIT("PtoP")};

    return kind > 0 && kind < (int64_t)(sizeof words / sizeof *words) ? words[kind] : words[0];
}

static struct str name_of(struct nsys *n, const json_t *row)
{
    int64_t id = number(row, "named");
    const struct str *text;

    if (n->table->kind != GPU_KERNEL)
        return n->table->kind == GPU_COPY ? copy_word(id) : STR("memset");
    text = map_get(&n->strings, MAP_KEY(id));
    return text ? *text : STR("");
}

static bool add_row(void *object, const json_t *row)
{
    struct nsys *n = object;
    struct activity_maker *m = maker_of(n, number(row, "process"));
    int64_t start = number(row, "start"), device = number(row, "device"), bytes = number(row, "bytes");
    struct gpu_activity a = {
        .start_ns = add_bounded(n->base_ns, start),
        .duration_ns = add_bounded(number(row, "end"), start == INT64_MIN ? 0 : -start),
        .device = device < 0 || device > LIMIT_GPU_DEVICE ? LIMIT_GPU_DEVICE : (uint16_t)device,
        .in_graph = number(row, "graph") != 0,
    };

    if (!m)
        return false;
    a.name = activity_name(m, n->table->kind, name_of(n, row));
    n->count += activity_add(m, &a, bytes > 0 ? (uint64_t)bytes : 0);
    return !m->limit_reported;
}

static bool add_string(void *object, const json_t *row)
{
    struct nsys *n = object;
    int64_t id = number(row, "id");
    struct str *text = ARENA_NEW(n->scratch, struct str);

    *text = arena_str(n->scratch, str_take(json_str(json_object_get(row, "value")), LIMIT_NAME));
    *map_at_copy(&n->strings, MAP_KEY(id)) = text;
    return n->strings.n < LIMIT_STRING_INDEX;
}

static bool has_all(struct nsys *n, const struct nsys_table *t)
{
    return has(n, t->name, "start") && has(n, t->name, "end") && has(n, t->name, "deviceId") &&
           (!t->named || has(n, t->name, t->named)) && (!t->bytes || has(n, t->name, t->bytes));
}

static void read_table(struct nsys *n, const struct nsys_table *t)
{
    const char *graph = has(n, t->name, "graphNodeId") ? "graphNodeId" : "0";
    const char *process = has(n, t->name, "globalPid") ? "globalPid" : "0";
    struct str sql =
        arena_printf(n->scratch,
                     "SELECT start, \"end\", deviceId AS device, %s AS named, %s AS bytes, %s AS graph, %s AS process "
                     "FROM %s",
                     t->named ? t->named : "0", t->bytes ? t->bytes : "0", graph, process, t->name);

    if (!has_all(n, t))
        return;
    n->table = t;
    n->count = 0;
    if (!database_each(n->file, sql.p, add_row, n))
        message_add(&n->in->messages, MSG_TRUNCATED, 0, "%s: %s", t->name, database_error(n->file));
    activity_count(n->in, t->counted, n->count);
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static bool add_device(void *object, const json_t *row)
{
    struct nsys *n = object;
    struct gpu_device d = gpu_device_unknown();

    if (json_is_integer(json_object_get(row, "id")))
        d.index = number(row, "id");
    d.name = arena_str(n->in->arena, str_take(json_str(json_object_get(row, "name")), LIMIT_NAME));
    if (json_is_integer(json_object_get(row, "memory")))
        d.memory_total = number(row, "memory");
    vec_push(n->in->arena, &n->in->devices, d);
    return n->in->devices.n < LIMIT_GPU_DEVICE;
}

/* Notes that the program that wrote the file left something out, by its own log. */
static void note_log(struct nsys *n)
{
    struct str path = arena_printf(n->scratch, "%.*s-wal", STR_ARG(n->in->path));
    struct stat st;

    if (stat(path.p, &st) == 0 && st.st_size)
        message_add(&n->in->messages, MSG_TRUNCATED, 0,
                    "%.*s holds changes that are not read: close the program that "
                    "writes them",
                    STR_ARG(str_file_name(path)));
}

static void read_database(struct nsys *n)
{
    note_log(n);
    if (!has_all(n, &tables[0])) {
        n->in->why_not = STR("a database without CUPTI_ACTIVITY_KIND_KERNEL: not an export of Nsight Systems");
        return;
    }
    if (has(n, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs"))
        n->base_ns = database_number(n->file, "SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME", NULL);
    if (n->base_ns < 0 || n->base_ns > GPU_LATEST_NS)
        n->base_ns = 0;
    if (has(n, "StringIds", "id") && has(n, "StringIds", "value") &&
        !database_each(n->file, "SELECT id, value FROM StringIds", add_string, n))
        message_add(&n->in->messages, MSG_TRUNCATED, 0, "StringIds: %s", database_error(n->file));
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        read_table(n, &tables[i]);
    if (has(n, "TARGET_INFO_GPU", "id") && has(n, "TARGET_INFO_GPU", "name") &&
        has(n, "TARGET_INFO_GPU", "totalMemory"))
        database_each(n->file, "SELECT id, name, totalMemory AS memory FROM TARGET_INFO_GPU", add_device, n);
}

void nsys_read(struct input *in)
{
    struct nsys n = {.in = in, .scratch = arena_new()};
    struct str error = {0};

    map_init(&n.processes, n.scratch);
    map_init(&n.strings, n.scratch);
    n.file = database_open_to_read(n.scratch, in->path.p, &error);
    if (n.file)
        read_database(&n);
    else
        in->why_not = arena_printf(in->arena, "a database that cannot be read: %.*s", STR_ARG(error));
    database_close(n.file);
    arena_free(n.scratch);
}
