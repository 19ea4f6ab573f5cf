#include "text/graphs/fx_graph.h"

/* Takes what stands behind `lead` off the end of s; empty, and s as it was, if it is not there. */
static struct str take_behind(struct str *s, struct str lead)
{
    ptrdiff_t at = str_find(*s, lead);
    struct str behind = str_skip(*s, at < 0 ? s->n : (size_t)at + lead.n);

    *s = str_take(*s, at < 0 ? s->n : (size_t)at);
    return behind;
}

bool fx_place_parse(struct str comment, struct fx_place *out)
{
    ptrdiff_t colon;

    *out = (struct fx_place){.line = 0};
    if (!str_consume(&comment, STR("# File: ")))
        return false;
    out->code = str_trim(take_behind(&comment, STR(", code:")));
    out->function = take_behind(&comment, STR(" in "));
    colon = str_rchr(comment, ':');
    if (colon <= 0 || !str_i64(str_skip(comment, (size_t)colon + 1), &out->line) || out->line < 0)
        return false;
    out->file = str_take(comment, (size_t)colon);
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
    struct fx_place place = {.line = 0};

    *out = (struct fx_graph){0};
    while (str_next_line(&text, &line)) {
        struct str name;

        line = str_trim(line);
        if (str_starts(line, STR("#"))) {
            if (!fx_place_parse(line, &place))
                file = (struct str){0};
            else if (!str_eq(place.file, file))
                file = arena_str(a, place.file);
            continue;
        }
        name = fx_name_of(line);
        if (name.n)
            vec_push(a, &out->nodes, ((struct fx_node){arena_str(a, name), file, file.n ? place.line : 0}));
    }
}
