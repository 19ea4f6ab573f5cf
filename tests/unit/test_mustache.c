#include "unit.h"

#include "output/html/escape.h"
#include "output/html/mustache.h"
#include "util/formats/json.h"
#include "util/system/pool.h"

static json_t *json_from(const char *text)
{
    json_error_t error;
    json_t *value = json_loads(text, JSON_DECODE_ANY, &error);

    if (!value)
        fail_msg("%s: %s", text, error.text);
    return value;
}

static struct mustache *parse(struct arena *a, const struct template_text *texts, size_t count)
{
    struct str error = {0};
    struct mustache *m = mustache_new(a, texts, count, MUSTACHE_MISSING_IS_ERROR, &error);

    if (!m)
        fail_msg("%s", error.p);
    return m;
}

/* Renders the first of the texts. */
static void check_set(const struct template_text *texts, size_t count, const char *json, const char *expected)
{
    struct arena *a = arena_new();
    struct buf got = {0};
    struct sink out = sink_to_buf(&got);
    json_t *context = json_from(json);

    assert_true(mustache_render(parse(a, texts, count), texts[0].name, context, &out));
    assert_str(buf_view(&got), expected);
    assert_int_equal(out.bytes, got.n);
    json_decref(context);
    buf_free(&got);
    arena_free(a);
}

static void check(const char *text, const char *json, const char *expected)
{
    struct template_text texts[] = {{"main", str_of(text)}};

    check_set(texts, 1, json, expected);
}

/* A template and one that it uses, "other". */
static void check_two(const char *text, const char *other, const char *json, const char *expected)
{
    struct template_text texts[] = {{"main", str_of(text)}, {"other", str_of(other)}};

    check_set(texts, 2, json, expected);
}

static void check_error(const char *text, const char *expected)
{
    struct template_text texts[] = {{"main", str_of(text)}, {"other", STR("")}};
    struct arena *a = arena_new();
    struct str error = {0};

    assert_null(mustache_new(a, texts, 2, MUSTACHE_MISSING_IS_ERROR, &error));
    assert_str(error, expected);
    arena_free(a);
}

static void values(void **state)
{
    (void)state;
    check("", "{}", "");
    check("no tags { } }} at all", "{}", "no tags { } }} at all");
    check("{{a}}|{{ b }}|{{\nc\n}}", "{\"a\": \"x\", \"b\": 0, \"c\": -7}", "x|0|-7");
    check("{{t}} {{f}} [{{n}}] [{{o}}] [{{l}}] [{{gone}}]",
          "{\"t\": true, \"f\": false, \"n\": null, \"o\": {}, \"l\": [1]}", "true false [] [] [] []");
    check("{{#.}}{{.}} {{/.}}", "[0.1, 2.0, -3.25, 1e21, 123456789.125, 0.30000000000000004]",
          "0.1 2 -3.25 1e+21 123456789.125 0.30000000000000004 ");
    check("{{#.}}{{.}} {{/.}}", "[9223372036854775807, -9223372036854775808]",
          "9223372036854775807 -9223372036854775808 ");
    check("{{a}} {{{a}}} {{&a}} {{& a }} {{{ a }}}", "{\"a\": \"<'\\\"&>\"}",
          "&lt;&#39;&quot;&amp;&gt; <'\"&> <'\"&> <'\"&> <'\"&>");
    check("{{a}}", "{\"a\": \"{{b}}\", \"b\": 1}", "{{b}}");
    check("<{{.}}>", "\"text\"", "<text>");
}

static void dotted_names(void **state)
{
    (void)state;
    check("{{a.b.c}} {{a.b}} {{a.x.c}} {{x.b.c}}", "{\"a\": {\"b\": {\"c\": 5}}}", "5   ");
    check("{{a.b}}", "{\"a.b\": 1}", "");
    /* Only the first part is looked up in outer contexts. */
    check("{{#in}}{{a.b}}{{/in}}", "{\"in\": {\"a\": {}}, \"a\": {\"b\": \"outer\"}}", "");
    check("{{#in}}{{a.b}}{{/in}}", "{\"in\": {\"c\": {}}, \"a\": {\"b\": \"outer\"}}", "outer");
    /* A null hides what is outside of it. */
    check("{{#in}}[{{a}}]{{/in}}", "{\"in\": {\"a\": null}, \"a\": 1}", "[]");
}

static void sections(void **state)
{
    static const char what[] = "{{#v}}shown {{v}}{{/v}}{{^v}}not{{/v}}";

    (void)state;
    check(what, "{}", "not");
    check(what, "{\"v\": null}", "not");
    check(what, "{\"v\": false}", "not");
    check(what, "{\"v\": \"\"}", "not");
    check(what, "{\"v\": []}", "not");
    check(what, "{\"v\": 0}", "shown 0");
    check(what, "{\"v\": 0.0}", "shown 0");
    check(what, "{\"v\": {}}", "shown ");
    check(what, "{\"v\": true}", "shown true");
    check("{{#v}}({{.}}{{x}}){{/v}}", "{\"v\": [1, null, \"a\", {\"x\": \"y\"}, [2]], \"x\": \"-\"}",
          "(1-)(-)(a-)(y)(-)");
    check("{{#a}}{{#b}}{{n}}{{m}} {{/b}}{{/a}}",
          "{\"a\": [{\"n\": 1, \"b\": [{\"m\": 1}, {\"m\": 2}]}, {\"n\": 2, \"b\": [{\"m\": 3}]}]}", "11 12 23 ");
    check("{{#.}}{{#.}}{{.}}{{/.}};{{/.}}", "[[1, 2], [], [3]]", "12;;3;");
    check("{{#a.b}}{{c}}{{/a.b}}{{^a.x}}no x{{/a.x}}", "{\"a\": {\"b\": {\"c\": 1}}}", "1no x");
    check("{{#a}}1{{#a}}2{{/a}}3{{/a}}", "{\"a\": {}}", "123");
}

static void comments_and_delimiters(void **state)
{
    (void)state;
    check("a{{! {{#x }}b{{!}}c", "{}", "abc");
    check("{{=<% %>=}}<%x%>{{x}}<%={{ }}=%>{{x}}", "{\"x\": 1}", "1{{x}}1");
    check("{{=| |=}}|#x||{y}||&y||/x|", "{\"x\": [1, 2], \"y\": \"<\"}", "<<<<");
    check("{{=  <<   >>  =}}<<x>>", "{\"x\": 1}", "1");
    check("a\n {{=[ ]=}} \nb [x]\n", "{\"x\": 1}", "a\nb 1\n");
    /* The delimiters of one template are not those of another. */
    check_two("{{=[ ]=}}[>other] [x]", "{{x}} [x]", "{\"x\": 1}", "1 [x] 1");
}

static void standalone_lines(void **state)
{
    (void)state;
    check("a\n{{#x}}\nb\n{{/x}}\nc\n", "{\"x\": [1, 2]}", "a\nb\nb\nc\n");
    check("a\r\n\t{{#x}} \r\nb\r\n {{/x}}\r\nc", "{\"x\": [1, 2]}", "a\r\nb\r\nb\r\nc");
    check("  {{^x}}\na\n  {{/x}}", "{}", "a\n");
    check("  {{! one\n two }}  \na", "{}", "a");
    check("  {{x}}\n  {{{x}}}\n", "{\"x\": 1}", "  1\n  1\n");
    check(" {{! a }} {{! b }}\n", "{}", "  \n");
    check(" {{#x}}a{{/x}}\n", "{}", " \n");
    check("{{#x}}\n{{/x}}\n{{^x}}\n{{/x}}", "{}", "");
    check("a {{#x}}\nb\n{{/x}} c\n", "{\"x\": true}", "a \nb\n c\n");
}

static void partials(void **state)
{
    (void)state;
    check_two("[{{>other}}] [{{> other }}]", "{{x}}", "{\"x\": 1}", "[1] [1]");
    check_two("{{#l}}{{>other}}{{/l}}", "{{.}};", "{\"l\": [1, 2]}", "1;2;");
    check_two("a\n  {{>other}}\nb", "1\n2\n", "{}", "a\n  1\n  2\nb");
    check_two("a\n  {{>other}}\nb", "1\n\n2", "{}", "a\n  1\n  \n  2b");
    check_two("  {{>other}} \r\nb", "1\r\n2\r\n", "{}", "  1\r\n  2\r\nb");
    check_two(" - {{>other}}\n", "1\n2", "{}", " - 1\n2\n");
    check_two("  {{>other}}", "", "{}", "");
    check_two("{{>other}}", "a{{#n}}({{>other}}){{/n}}", "{\"n\": {\"n\": {\"n\": []}}}", "a(a(a))");
}

/* Indentation goes before each line of the template, whatever the line begins with, and not before lines of values. */
static void indented_lines(void **state)
{
    (void)state;
    check_two(" {{>other}}", "{{x}}\n{{{x}}}!\n", "{\"x\": \"a\\nb\"}", " a\nb\n a\nb!\n");
    check_two(" {{>other}}", "{{#l}}{{.}},{{/l}}\n{{#l}}\n{{.}}\n{{/l}}\nend", "{\"l\": [1, 2]}",
              " 1,2,\n 1\n 2\n end");
    check_two(" {{>other}}", "{{#l}}\n-{{/l}}{{! at a line's end }}\n{{! alone }}\n", "{\"l\": [1, 2]}", " - -\n");
    check_two(" {{>other}}", "{{#l}}a\n{{/l}}b\n", "{\"l\": [1, 2]}", " a\n a\n b\n");
}

static void nested_indentation(void **state)
{
    struct template_text texts[] = {
        {"main", STR(" {{>a}}\n")},
        {"a", STR("a\n  {{>b}}\n({{>b}})\na\n")},
        {"b", STR("b\nb\n")},
    };

    (void)state;
    check_set(texts, COUNT(texts), "{}", " a\n   b\n   b\n (b\nb\n)\n a\n");
}

static void dynamic_names(void **state)
{
    struct template_text texts[] = {
        {"main", STR("{{#l}}{{>*kind}}{{/l}}")},
        {"a", STR("A{{v}} ")},
        {"b", STR("B{{v}} ")},
    };
    static const char json[] = "{\"l\": [{\"kind\": \"a\", \"v\": 1}, {\"kind\": \"b\", \"v\": 2}, {\"kind\": \"c\"},"
                               " {\"kind\": 3}, {}]}";

    (void)state;
    check_set(texts, COUNT(texts), json, "A1 B2 ");
    check_two(" {{> * k.n }}\n", "a\nb\n", "{\"k\": {\"n\": \"other\"}}", " a\n b\n");
    check_two("{{<*k}}{{$x}}new{{/x}}{{/*k}} {{< * k }}{{/ * k }}", "{{$x}}old{{/x}}", "{\"k\": \"other\"}", "new old");
    check_two("{{<*k}}{{/*k}}", "{{$x}}old{{/x}}", "{}", "");
}

static void blocks(void **state)
{
    (void)state;
    check("<{{$a}}default {{x}}{{/a}}>", "{\"x\": 1}", "<default 1>");
    check_two("{{<other}}{{/other}}", "<{{$a}}old{{/a}}>", "{}", "<old>");
    check_two("{{>other}}", "<{{$a}}old{{/a}}>", "{}", "<old>");
    check_two("{{<other}}{{$b}}B{{/b}}{{/other}}", "{{$a}}a{{/a}} {{$b}}b{{/b}}", "{}", "a B");
    check_two("{{<other}}{{$a}}{{/a}}{{/other}}", "<{{$a}}old{{/a}}>", "{}", "<>");
    /* An argument sees the context of the place where it is used. */
    check_two("{{<other}}{{$a}}{{x}}{{/a}}{{/other}}", "{{#l}}{{$a}}{{/a}},{{/l}}",
              "{\"x\": 0, \"l\": [{\"x\": 1}, {}]}", "1,0,");
    /* Only blocks count in a parent; comments and delimiters may stand there. */
    check_two("{{<other}} text\n{{! no }}{{=[ ]=}}[$a]A[/a] text [/other][x]", "<{{$a}}{{/a}}>", "{\"x\": 1}", "<A>1");
    check_two("{{<other}}{{$a}}{{#l}}{{.}}{{/l}}{{^l}}none{{/l}}{{/a}}{{/other}}", "<{{$a}}{{/a}}>", "{\"l\": [1, 2]}",
              "<12>");
    /* A parent with arguments within an argument. */
    check_two("{{<other}}{{$a}}({{<other}}{{$b}}inner{{/b}}{{/other}}){{/a}}{{/other}}", "{{$b}}{{$a}}{{/a}}{{/b}}",
              "{}", "(inner)");
}

static void argument_precedence(void **state)
{
    struct template_text texts[] = {
        {"main", STR("{{<page}}{{$title}}T{{/title}}{{/page}}|{{<page}}{{/page}}")},
        {"page", STR("{{<base}}{{$title}}page{{/title}}{{$body}}{{>part}}{{/body}}{{/base}}")},
        {"base", STR("{{$title}}base{{/title}}:{{$body}}{{/body}}")},
        {"part", STR("part of {{$title}}nothing{{/title}}")},
    };

    (void)state;
    check_set(texts, COUNT(texts), "{}", "T:part of T|page:part of page");
}

static void block_lines(void **state)
{
    static const char argument[] = "{{<other}}\n{{$a}}\n    one\n      two\n{{/a}}\n{{/other}}\n";

    (void)state;
    /* An argument loses its own indentation and takes that of the place where it is put. */
    check_two(argument, "{{$a}}\n{{/a}}\nend\n", "{}", "one\n  two\nend\n");
    check_two(argument, "<\n  {{$a}}\n  {{/a}}\n>\n", "{}", "<\n  one\n    two\n>\n");
    check_two(argument, "<\n{{$a}}\n  default\n{{/a}}\n>\n", "{}", "<\n  one\n    two\n>\n");
    check_two(argument, "<\n  {{$a}}default{{/a}}\n>\n", "{}", "<\n  one\n    two\n\n>\n");
    check_two(argument, "< {{$a}}{{/a}}>\n", "{}", "< one\n  two\n>\n");
    check_two("{{<other}}{{$a}}x{{/a}}{{/other}}", " <\n  {{$a}}\n  {{/a}}\n >", "{}", " <\n  x >");
    /* A default stays as it is written. */
    check("<\n  {{$a}}\n    x\n  {{/a}}\n>\n", "{}", "<\n    x\n>\n");
    check("<\n  {{$a}}x\n y{{/a}}\n>\n", "{}", "<\n  x\n y\n>\n");
    check_two(" {{>other}}", "<\n  {{$a}}x\n y{{/a}}\n>\n", "{}", " <\n   x\n  y\n >\n");
    check_two(" {{>other}}", "{{$a}}{{/a}}", "{}", " ");
}

static void argument_lines(void **state)
{
    (void)state;
    /* Lists, partials and blank lines in an indented argument. */
    check_two("{{<other}}\n  {{$a}}\n    {{#l}}\n    - {{.}}\n    {{/l}}\n\n    end\n  {{/a}}\n{{/other}}\n",
              "<ul>\n  {{$a}}\n  {{/a}}\n</ul>\n", "{\"l\": [1, 2]}", "<ul>\n  - 1\n  - 2\n  \n  end\n</ul>\n");
    check_two("{{<other}}{{$a}}\n  {{#l}}\n  - {{.}}\n  {{/l}}\n{{/a}}{{/other}}", "  {{$a}}{{/a}}\n",
              "{\"l\": [1, 2]}", "  - 1\n  - 2\n\n");
    check_two("{{<other}}{{$a}}\n  {{x}}\n  y {{$b}}z{{/b}}\n{{/a}}{{/other}}", " {{$a}}\n {{/a}}\n", "{\"x\": 1}",
              " 1\n y z\n");
}

static void parent_lines(void **state)
{
    static const char other[] = "one\n{{$a}}two{{/a}}\n";

    (void)state;
    check_two("<\n  {{<other}}{{/other}}\n>", other, "{}", "<\n  one\n  two\n>");
    check_two("<\n  {{<other}}\n  {{$a}}\n    2\n    3\n  {{/a}}\n  {{/other}}\n>", other, "{}",
              "<\n  one\n  2\n  3\n\n>");
    check_two("<\n  {{<other}}{{$a}}2{{/a}}{{/other}}\n>", other, "{}", "<\n  one\n  2\n>");
    /* Something else stands on the line. */
    check_two("<\n  {{<other}}{{/other}} -\n>", other, "{}", "<\n  one\ntwo\n -\n>");
    check_two("<\n  - {{<other}}{{/other}}\n>", other, "{}", "<\n  - one\ntwo\n\n>");
    /* Each tag has a line; what is beside one does not matter to the other. */
    check_two("<\n  {{<other}}\n  {{/other}} -\n>", other, "{}", "<\n  one\n  two\n -\n>");
    check_two("< {{<other}}\n  {{/other}}\n>", other, "{}", "< one\ntwo\n>");
}

static void errors(void **state)
{
    (void)state;
    check_error("a\nb {{x", "main:2: the tag is not closed");
    check_error("{{{x}}", "main:1: the tag is not closed");
    check_error("{{", "main:1: the tag is not closed");
    check_error("\n{{#x}}\n{{#y}}\n{{/y}}\n", "main:2: \"x\" is not closed");
    check_error("{{<other}}", "main:1: \"other\" is not closed");
    check_error("\n{{/x}}", "main:2: {{/x}} closes nothing");
    check_error("{{#x}}\n{{#y}}\n{{/x}}", "main:3: {{/x}} cannot close \"y\", opened in line 2");
    check_error("{{<*x}}{{/x}}", "main:1: {{/x}} cannot close \"x\", opened in line 1");
    check_error("{{#x}}{{/*x}}", "main:1: {{/*x}} cannot close \"x\", opened in line 1");
    check_error("{{<other}}\n{{x}}{{/other}}", "main:2: only blocks can stand directly in a parent");
    check_error("{{<other}}{{#x}}{{/x}}{{/other}}", "main:1: only blocks can stand directly in a parent");
    check_error("{{>other}}\n{{>gone}}", "main:2: there is no template \"gone\"");
    check_error("{{<gone}}{{/gone}}", "main:1: there is no template \"gone\"");
}

static void bad_names(void **state)
{
    (void)state;
    check_error("{{}}", "main:1: a tag without a name");
    check_error("{{# }}", "main:1: a tag without a name");
    check_error("{{>*}}", "main:1: a tag without a name");
    check_error("{{a b}}", "main:1: a blank or control character in a name");
    check_error("{{>a b}}", "main:1: a blank or control character in a name");
    check_error("{{$a\tb}}", "main:1: a blank or control character in a name");
    check_error("{{ #a}}", "main:1: a name cannot begin with '#'");
    check_error("{{<{a}}", "main:1: a name cannot begin with '{'");
    check_error("{{a..b}}", "main:1: an empty part in a dotted name");
    check_error("{{#.a}}", "main:1: an empty part in a dotted name");
    check_error("{{>*a.}}", "main:1: an empty part in a dotted name");
    check_error("{{=x=}}", "main:1: delimiters are two words without '='");
    check_error("{{==}}", "main:1: delimiters are two words without '='");
    check_error("{{=a b c=}}", "main:1: delimiters are two words without '='");
    check_error("{{=a= b=}}", "main:1: delimiters are two words without '='");
    check_error("{{=a b}}", "main:1: the tag is not closed");
}

static void faulty_sets(void **state)
{
    struct template_text twice[] = {{"a", STR("")}, {"a", STR("")}}, missing[] = {{"a", STR("<{{>b}}>")}};
    struct arena *a = arena_new();
    struct str error = {0};
    struct buf got = {0};
    struct sink out = sink_to_buf(&got);
    struct mustache *m;

    (void)state;
    assert_null(mustache_new(a, twice, 2, MUSTACHE_MISSING_IS_EMPTY, &error));
    assert_str(error, "a:1: a second template of this name");
    m = mustache_new(a, missing, 1, MUSTACHE_MISSING_IS_EMPTY, &error);
    assert_non_null(m);
    assert_true(mustache_render(m, "a", NULL, &out));
    assert_str(buf_view(&got), "<>");
    assert_non_null(mustache_new(a, NULL, 0, MUSTACHE_MISSING_IS_ERROR, &error));
    assert_non_null(mustache_new(a, &(struct template_text){.name = "empty"}, 1, MUSTACHE_MISSING_IS_ERROR, &error));
    buf_free(&got);
    arena_free(a);
}

static void repeat(struct buf *b, const char *text, unsigned count)
{
    while (count--)
        buf_str(b, str_of(text));
}

/* 32 levels in one template are allowed, 33 are not. */
static void nesting_limit(void **state)
{
    struct buf text = {0};

    (void)state;
    for (unsigned levels = 32; levels <= 33; levels++) {
        struct arena *a = arena_new();
        struct str error = {0};
        struct template_text texts[1];

        text.n = 0;
        repeat(&text, "{{#a}}", levels);
        repeat(&text, "{{/a}}", levels);
        texts[0] = (struct template_text){"main", buf_view(&text)};
        if (levels == 32)
            parse(a, texts, 1);
        else
            assert_null(mustache_new(a, texts, 1, MUSTACHE_MISSING_IS_ERROR, &error));
        assert_str(error, levels == 32 ? "" : "main:1: nested deeper than 32");
        arena_free(a);
    }
    buf_free(&text);
}

static bool render_to(struct buf *got, const char *text, const char *json)
{
    struct template_text texts[] = {{"main", str_of(text)}};
    struct arena *a = arena_new();
    struct sink out = sink_to_buf(got);
    json_t *context = json_from(json);
    bool complete;

    got->n = 0;
    complete = mustache_render(parse(a, texts, 1), "main", context, &out);
    json_decref(context);
    arena_free(a);
    return complete;
}

static void depth_limit(void **state)
{
    static const char recursive[] = "<{{#n}}{{>main}}{{/n}}>";
    struct buf json = {0}, got = {0};

    (void)state;
    repeat(&json, "{\"n\": ", 63);
    buf_str(&json, STR("{\"n\": []"));
    repeat(&json, "}", 64);
    buf_char(&json, '\0');
    assert_true(render_to(&got, recursive, json.p));
    assert_int_equal(got.n, 2 * 64);

    /* One level more: the innermost is left out, the others are closed. */
    json.n = 0;
    repeat(&json, "{\"n\": ", 64);
    buf_str(&json, STR("{\"n\": []"));
    repeat(&json, "}", 65);
    buf_char(&json, '\0');
    assert_false(render_to(&got, recursive, json.p));
    assert_int_equal(got.n, 2 * 64);

    /* Endless recursion, also twice per level, and an argument that holds the block it is put into. */
    assert_false(render_to(&got, "{{>main}}", "{}"));
    assert_false(render_to(&got, "{{>main}}{{>main}}{{>main}}", "{}"));
    assert_false(render_to(&got, "{{<main}}{{$a}}{{$a}}{{/a}}{{$a}}{{/a}}{{/a}}{{/main}}{{$a}}{{/a}}", "{}"));
    buf_free(&json);
    buf_free(&got);
}

/* The most that can be asked of the stack: templates at the depth limit, each nested to its own limit. */
static void deepest_stack(void **state)
{
    struct buf text = {0}, got = {0};

    (void)state;
    repeat(&text, "{{#a}}", 31);
    buf_str(&text, STR("x{{<main}}{{/main}}"));
    repeat(&text, "{{/a}}", 31);
    buf_char(&text, '\0');
    assert_false(render_to(&got, text.p, "{\"a\": [1]}"));
    assert_int_equal(got.n, 64);
    buf_free(&text);
    buf_free(&got);
}

/* 10 MB in one value: written without being gathered anywhere. */
static void long_value(void **state)
{
    struct template_text texts[] = {{"main", STR("[{{v}}]")}};
    size_t half = 5 * 1000 * 1000;
    struct buf value = {0}, got = {0};
    struct sink out = sink_to_buf(&got);
    struct arena *a = arena_new();
    json_t *context = json_object();

    (void)state;
    memset(buf_room(&value, 2 * half), 'x', 2 * half);
    buf_added(&value, 2 * half);
    value.p[half] = '<';
    json_object_set_new(context, "v", json_stringn(value.p, value.n));
    assert_true(mustache_render(parse(a, texts, 1), "main", context, &out));
    assert_int_equal(got.n, value.n + 2 + 3);
    assert_int_equal(got.p[0], '[');
    assert_memory_equal(got.p + 1, value.p, half);
    assert_memory_equal(got.p + 1 + half, "&lt;", 4);
    assert_memory_equal(got.p + 1 + half + 4, value.p + half + 1, half - 1);
    assert_int_equal(got.p[got.n - 1], ']');
    json_decref(context);
    buf_free(&value);
    buf_free(&got);
    arena_free(a);
}

enum { ITEMS = 100000 };

static json_t *many_items(void)
{
    json_t *context = json_object(), *list = json_array();

    for (int i = 0; i < ITEMS; i++)
        json_array_append_new(list, json_pack("{s:i}", "i", i));
    json_object_set_new(context, "list", list);
    return context;
}

static struct str number_of_items(struct buf *expected)
{
    for (int i = 0; i < ITEMS; i++)
        buf_printf(expected, "  <li>%d</li>\n", i);
    return buf_view(expected);
}

static void long_list(void **state)
{
    struct template_text texts[] = {
        {"main", STR("{{#list}}\n  {{>item}}\n{{/list}}\n")},
        {"item", STR("<li>{{i}}</li>\n")},
    };
    struct buf got = {0}, expected = {0};
    struct sink out = sink_to_buf(&got);
    struct arena *a = arena_new();
    json_t *context = many_items();

    (void)state;
    assert_true(mustache_render(parse(a, texts, 2), "main", context, &out));
    assert_true(str_eq(buf_view(&got), number_of_items(&expected)));
    json_decref(context);
    buf_free(&got);
    buf_free(&expected);
    arena_free(a);
}

struct job {
    struct task task;
    const struct mustache *m;
    const json_t *context;
    struct buf got;
};

static void render_job(void *arg)
{
    struct job *job = arg;
    struct sink out = sink_to_buf(&job->got);

    mustache_render(job->m, "main", job->context, &out);
}

/* One set and one context, many threads. */
static void threads(void **state)
{
    struct template_text texts[] = {
        {"main", STR("{{#list}} {{<*part}}{{$x}}{{i}}{{/x}}{{/*part}}{{/list}}")},
        {"part", STR("{{$x}}{{/x}},")},
    };
    struct arena *a = arena_new();
    struct pool *pool = pool_new(4);
    struct job jobs[8] = {0};
    json_t *context = many_items();

    (void)state;
    json_object_set_new(context, "part", json_string("part"));
    for (size_t i = 0; i < COUNT(jobs); i++) {
        jobs[i] = (struct job){.task = {.run = render_job, .arg = &jobs[i]}, .context = context};
        jobs[i].m = i ? jobs[0].m : parse(a, texts, 2);
        pool_submit_leaf(pool, &jobs[i].task);
    }
    for (size_t i = 0; i < COUNT(jobs); i++)
        pool_wait(pool, &jobs[i].task);
    for (size_t i = 0; i < COUNT(jobs); i++) {
        assert_int_equal(jobs[i].got.n, 688890); /* 488,890 digits, a blank and a comma each */
        assert_true(str_eq(buf_view(&jobs[i].got), buf_view(&jobs[0].got)));
    }
    for (size_t i = 0; i < COUNT(jobs); i++)
        buf_free(&jobs[i].got);
    pool_free(pool);
    json_decref(context);
    arena_free(a);
}

static void escapes_every_byte(void **state)
{
    struct buf got = {0}, expected = {0};
    struct sink out = sink_to_buf(&got);

    (void)state;
    for (int c = 0; c < 256; c++) {
        char byte = (char)c;

        if (c == '&')
            buf_str(&expected, STR("&amp;"));
        else if (c == '<')
            buf_str(&expected, STR("&lt;"));
        else if (c == '>')
            buf_str(&expected, STR("&gt;"));
        else if (c == '"')
            buf_str(&expected, STR("&quot;"));
        else if (c == '\'')
            buf_str(&expected, STR("&#39;"));
        else if (c == 0x7f)
            buf_str(&expected, STR("\xe2\x90\xa1"));
        else if (c > 0 && c < ' ' && !strchr("\t\n\r", c))
            buf_printf(&expected, "\xe2\x90%c", 0x80 + c);
        else
            buf_char(&expected, byte);
        escape_html(&out, (struct str){&byte, 1});
    }
    assert_true(str_eq(buf_view(&got), buf_view(&expected)));
    assert_int_equal(out.bytes, expected.n);
    buf_free(&expected);
    buf_free(&got);
}

static void escapes_runs(void **state)
{
    struct buf got = {0};
    struct sink out = sink_to_buf(&got);

    (void)state;
    escape_html(&out, STR(""));
    escape_html(&out, STR("plain "));
    escape_html(&out, STR("<<a>&b "));
    escape_html(&out, STR("x='\"'"));
    assert_str(buf_view(&got), "plain &lt;&lt;a&gt;&amp;b x=&#39;&quot;&#39;");
    buf_free(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(dotted_names),
        cmocka_unit_test(sections),
        cmocka_unit_test(comments_and_delimiters),
        cmocka_unit_test(standalone_lines),
        cmocka_unit_test(partials),
        cmocka_unit_test(indented_lines),
        cmocka_unit_test(nested_indentation),
        cmocka_unit_test(dynamic_names),
        cmocka_unit_test(blocks),
        cmocka_unit_test(argument_precedence),
        cmocka_unit_test(block_lines),
        cmocka_unit_test(argument_lines),
        cmocka_unit_test(parent_lines),
        cmocka_unit_test(errors),
        cmocka_unit_test(bad_names),
        cmocka_unit_test(faulty_sets),
        cmocka_unit_test(nesting_limit),
        cmocka_unit_test(depth_limit),
        cmocka_unit_test(deepest_stack),
        cmocka_unit_test(long_value),
        cmocka_unit_test(long_list),
        cmocka_unit_test(threads),
        cmocka_unit_test(escapes_every_byte),
        cmocka_unit_test(escapes_runs),
    };

    return RUN(tests);
}
