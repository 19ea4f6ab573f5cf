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
    struct mustache *m = mustache_new(a, texts, count, &error);

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

    assert_null(mustache_new(a, texts, 2, &error));
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
    check("{{a}} {{{a}}} {{{ a }}}", "{\"a\": \"<'\\\"&>\"}", "&lt;&#39;&quot;&amp;&gt; <'\"&> <'\"&>");
    check("{{a}}", "{\"a\": \"{{b}}\", \"b\": 1}", "{{b}}");
    check("<{{.}}>", "\"text\"", "<text>");
    /* A null hides the value outside. */
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
    check("{{#a}}1{{#a}}2{{/a}}3{{/a}}", "{\"a\": {}}", "123");
}

static void standalone_lines(void **state)
{
    (void)state;
    check("a\n{{#x}}\nb\n{{/x}}\nc\n", "{\"x\": [1, 2]}", "a\nb\nb\nc\n");
    check("a\r\n\t{{#x}} \r\nb\r\n {{/x}}\r\nc", "{\"x\": [1, 2]}", "a\r\nb\r\nb\r\nc");
    check("  {{^x}}\na\n  {{/x}}", "{}", "a\n");
    check("  {{x}}\n  {{{x}}}\n", "{\"x\": 1}", "  1\n  1\n");
    check(" {{#x}} {{/x}}\n", "{\"x\": 1}", "  \n");
    check(" {{#x}}a{{/x}}\n", "{}", " \n");
    check("{{#x}}\n{{/x}}\n{{^x}}\n{{/x}}", "{}", "");
    check("a {{#x}}\nb\n{{/x}} c\n", "{\"x\": true}", "a \nb\n c\n");
}

static void partials(void **state)
{
    (void)state;
    check_two("[{{>other}}] [{{> other }}]", "{{x}}", "{\"x\": 1}", "[1] [1]");
    check_two("{{#l}}{{>other}}{{/l}}", "{{.}};", "{\"l\": [1, 2]}", "1;2;");
    check_two("a\n{{>other}}\nb", "1\n2\n", "{}", "a\n1\n2\nb");
    check_two("{{>other}} \r\nb", "1\r\n2\r\n", "{}", "1\r\n2\r\nb");
    check_two(" - {{>other}}\n", "1\n2", "{}", " - 1\n2\n");
    check_two("{{>other}}", "", "{}", "");
    check_two("{{>other}}", "a{{#n}}({{>other}}){{/n}}", "{\"n\": {\"n\": {\"n\": []}}}", "a(a(a))");
}

static void errors(void **state)
{
    (void)state;
    check_error("a\nb {{x", "main:2: the tag is not closed");
    check_error("{{{x}}", "main:1: the tag is not closed");
    check_error("{{", "main:1: the tag is not closed");
    check_error("\n{{#x}}\n{{#y}}\n{{/y}}\n", "main:2: \"x\" is not closed");
    check_error("\n{{/x}}", "main:2: {{/x}} closes nothing");
    check_error("{{#x}}\n{{#y}}\n{{/x}}", "main:3: {{/x}} cannot close \"y\", opened in line 2");
    check_error("a\n  {{>other}} \n", "main:2: a partial on its own line is indented");
    check_error("{{>other}}\n{{>gone}}", "main:2: there is no template \"gone\"");
}

/* Also what the mustache specification has, and this program does not: comments, delimiters, inheritance, a.b. */
static void bad_names(void **state)
{
    static const char *const bad[] = {"{{a b}}",     "{{>a b}}", "{{ #a}}", "{{&a}}",  "{{! a}}",    "{{=x=}}",
                                      "{{=<% %>=}}", "{{a.b}}",  "{{#.a}}", "{{>*a}}", "{{<other}}", "{{$a}}"};

    (void)state;
    check_error("{{}}", "main:1: a tag without a name");
    check_error("{{# }}", "main:1: a tag without a name");
    for (size_t i = 0; i < COUNT(bad); i++)
        check_error(bad[i], "main:1: a name only has letters, digits and '_'");
}

static void faulty_sets(void **state)
{
    struct template_text twice[] = {{"a", STR("")}, {"a", STR("")}};
    struct arena *a = arena_new();
    struct str error = {0};

    (void)state;
    assert_null(mustache_new(a, twice, 2, &error));
    assert_str(error, "a:1: a second template of this name");
    assert_non_null(mustache_new(a, NULL, 0, &error));
    assert_non_null(mustache_new(a, &(struct template_text){.name = "empty"}, 1, &error));
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
            assert_null(mustache_new(a, texts, 1, &error));
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

    /* Endless recursion, also three times per level. */
    assert_false(render_to(&got, "{{>main}}", "{}"));
    assert_false(render_to(&got, "{{>main}}{{>main}}{{>main}}", "{}"));
    buf_free(&json);
    buf_free(&got);
}

/* The most that can be asked of the stack: templates at the depth limit, each nested to its own limit. */
static void deepest_stack(void **state)
{
    struct buf text = {0}, got = {0};

    (void)state;
    repeat(&text, "{{#a}}", 31);
    buf_str(&text, STR("x{{>main}}"));
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
        {"main", STR("{{#list}}\n{{>item}}\n{{/list}}\n")},
        {"item", STR("  <li>{{i}}</li>\n")},
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
        {"main", STR("{{#list}} {{>part}}{{/list}}")},
        {"part", STR("{{i}},")},
    };
    struct arena *a = arena_new();
    struct pool *pool = pool_new(4);
    struct job jobs[8] = {0};
    json_t *context = many_items();

    (void)state;
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
        cmocka_unit_test(values),           cmocka_unit_test(sections),
        cmocka_unit_test(standalone_lines), cmocka_unit_test(partials),
        cmocka_unit_test(errors),           cmocka_unit_test(bad_names),
        cmocka_unit_test(faulty_sets),      cmocka_unit_test(nesting_limit),
        cmocka_unit_test(depth_limit),      cmocka_unit_test(deepest_stack),
        cmocka_unit_test(long_value),       cmocka_unit_test(long_list),
        cmocka_unit_test(threads),          cmocka_unit_test(escapes_every_byte),
        cmocka_unit_test(escapes_runs),
    };

    return RUN(tests);
}
