#include "output/tables/sqlite_tables.h"

#include "util/buf.h"
#include "util/formats/json.h"

/* The names are ours; they are quoted because some are SQL keywords. */
bool sqlite_table_make(struct database *d, const struct sqlite_table *t)
{
    const char *between = t->keys ? ", " : "";
    struct buf sql = {0};
    bool good;

    buf_printf(&sql, "CREATE TABLE IF NOT EXISTS \"%s\" (%s", t->table->name, t->keys ? t->keys : "");
    for (size_t i = 0; i < t->table->column_count; i++) {
        const struct column *c = &t->table->columns[i];

        if (!t->lists && column_is_list(c))
            continue;
        buf_printf(&sql, "%s\"%s\" %s", between, c->name, c->type);
        between = ", ";
    }
    buf_str(&sql, STR(")"));
    buf_char(&sql, '\0');
    good = database_run(d, sql.p);
    buf_free(&sql);
    return good;
}

bool sqlite_table_add(struct database *d, const struct sqlite_table *t, json_t *keys, const json_t *row)
{
    json_t *values = json_new_array(), *own = table_values(t->table, row, t->lists);
    struct buf sql = {0};
    bool good;

    if (keys)
        json_array_extend(values, keys);
    json_array_extend(values, own);
    json_decref(own);
    buf_printf(&sql, "INSERT INTO \"%s\" VALUES (?1", t->table->name);
    for (size_t i = 2; i <= json_array_size(values); i++)
        buf_printf(&sql, ", ?%zu", i);
    buf_str(&sql, STR(")"));
    buf_char(&sql, '\0');
    good = database_do(d, sql.p, values);
    buf_free(&sql);
    return good;
}

struct sqlite_writing {
    struct database *d;
    bool good;
};

static void add_row(void *object, const char *table, json_t *row)
{
    struct sqlite_writing *w = object;

    w->good = w->good && sqlite_table_add(w->d, &(struct sqlite_table){table_find(table), NULL, true}, NULL, row);
    json_decref(row);
}

bool sqlite_tables_fill(struct database *d, struct view *v)
{
    struct sqlite_writing w = {d, true};

    for (size_t i = 0; table_at(i); i++)
        w.good = w.good && sqlite_table_make(d, &(struct sqlite_table){table_at(i), NULL, true});
    tables_write(v, true, add_row, &w);
    return w.good;
}
