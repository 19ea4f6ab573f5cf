#include "text/graphs/fx_graph.h"

bool fx_place_parse(struct str comment, struct str *file, int64_t *line)
{
    ptrdiff_t end, colon;

    if (!str_consume(&comment, STR("# File: ")))
        return false;
    end = str_find(comment, STR(" in "));
    if (end < 0)
        end = str_find(comment, STR(", code:"));
    comment = end < 0 ? comment : str_take(comment, (size_t)end);
    colon = str_rchr(comment, ':');
    if (colon <= 0 || !str_i64(str_skip(comment, (size_t)colon + 1), line) || *line < 0)
        return false;
    *file = str_take(comment, (size_t)colon);
    return true;
}

struct str fx_name_of(struct str line)
{
    struct str name = str_word(line), rest = str_skip(line, name.n);

    return str_starts(rest, STR(" = ")) || str_starts(rest, STR(": ")) ? name : (struct str){0};
}

void fx_graph_parse(struct arena *a, struct str text, struct fx_graph *out)
{
    struct str line, file = {0};
    int64_t number = 0;

    *out = (struct fx_graph){0};
    while (str_next_line(&text, &line)) {
        struct str found, name;

        line = str_trim(line);
        if (str_starts(line, STR("#"))) {
            if (!fx_place_parse(line, &found, &number))
                file = (struct str){0};
            else if (!str_eq(found, file))
                file = arena_str(a, found);
            continue;
        }
        name = fx_name_of(line);
        if (name.n)
            vec_push(a, &out->nodes, ((struct fx_node){arena_str(a, name), file, file.n ? number : 0}));
    }
}
