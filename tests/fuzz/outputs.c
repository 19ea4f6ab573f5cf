#include "analysis/analyze.h"
#include "fuzz.h"

#include "output/html/html.h"
#include "output/report/report_json.h"
#include "output/text/summary.h"
#include "util/formats/json.h"

static size_t count(struct str s, struct str what)
{
    size_t n = 0;

    for (ptrdiff_t at; (at = str_find(s, what)) >= 0; n++)
        s = str_skip(s, (size_t)at + what.n);
    return n;
}

/* Markup comes from templates alone: text of the trace cannot begin an element. */
static void check_page(struct str page, size_t blocks)
{
    fuzz_check(count(page, STR("<script")) == blocks + 1, "the page has its own scripts and no other");
    fuzz_check(count(page, STR("</script>")) == blocks + 1, "each of them ends once");
    fuzz_check(count(page, STR("<html")) == 1 && count(page, STR("<style")) == 1 && count(page, STR("<meta")) == 6,
               "the head of the page is what the template says");
    fuzz_check(count(page, STR("</body>")) == 1 && str_ends(page, STR("</html>\n")), "the page ends once");
}

static void check_json(struct str text)
{
    json_t *root = json_loadb(text.p, text.n, 0, NULL);

    fuzz_check(json_is_object(root), "report.json is JSON");
    json_decref(root);
}

static void write_page(struct view *v, struct arena *a)
{
    struct html_options options = {.max_bytes = 25000000, .detail_bytes = 12500000};
    struct placements placements = {0};
    struct blocks blocks;
    struct buf page = {0};
    struct sink sink = sink_to_buf(&page);

    v->placements = &placements;
    fuzz_check(blocks_make(&blocks, a, v->answers, &placements, 20000000, fuzz_pool()) == 0, "payloads can be packed");
    html_write_text(&sink, v, &options);
    fuzz_check(html_write_end(&sink, v, &options, &blocks) == 0, "the page can be written");
    check_page(buf_view(&page), blocks.count);
    blocks_free(&blocks);
    page.n = 0;
    report_json_write(&sink, v, &(struct about){0});
    check_json(buf_view(&page));
    buf_free(&page);
}

/* A terminal must see no control character but the newlines that are ours. */
static void write_summary(const struct answers *answers, struct arena *a)
{
    struct text t = {.arena = a, .width = 80, .unicode = true};

    summary_write(&t, answers);
    for (size_t i = 0; i < t.buf.n; i++) {
        unsigned char c = (unsigned char)t.buf.p[i];

        fuzz_check(c == '\n' || (c >= 0x20 && c != 0x7f), "no control character reaches the terminal");
        fuzz_check(c != 0xc2 || i + 1 == t.buf.n || (unsigned char)t.buf.p[i + 1] >= 0xa0, "nor one of the C1 set");
    }
    buf_free(&t.buf);
}

void fuzz_check_outputs(struct run *r)
{
    struct arena *a = arena_new();
    struct view v = {.run = r, .scratch = arena_new()};
    struct answers answers;

    analyze(a, r, NULL, &answers);
    v.answers = &answers;
    write_summary(&answers, a);
    write_page(&v, a);
    arena_free(v.scratch);
    arena_free(a);
}
