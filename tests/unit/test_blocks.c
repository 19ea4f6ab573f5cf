#include "trace_text.h"

#include "output/html/blocks.h"

#include <zlib.h>

static struct str decode_base64(struct arena *a, struct str in)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *out = arena_alloc(a, in.n + 3);
    uint32_t bits = 0;
    size_t n = 0;

    for (size_t i = 0; i < in.n; i++) {
        const char *at = strchr(digits, in.p[i]);

        bits = bits << 6 | (at ? (uint32_t)(at - digits) : 0);
        if (i % 4 != 3)
            continue;
        out[n++] = (char)(bits >> 16);
        out[n++] = (char)(bits >> 8);
        out[n++] = (char)bits;
    }
    return (struct str){out, n - (in.n > 1 && in.p[in.n - 2] == '=') - (in.n && in.p[in.n - 1] == '=')};
}

/* Unpacks as a browser does. */
static struct str unpack(struct arena *a, const struct blocks *b, size_t i)
{
    struct buf encoded = {0};
    struct str packed;
    size_t room = 16 << 20;
    z_stream z = {0};
    char *out = arena_alloc(a, room);

    assert_int_equal(blocks_read(b, i, &encoded), 0);
    packed = decode_base64(a, buf_view(&encoded));
    assert_int_equal(inflateInit2(&z, -15), Z_OK);
    z.next_in = (Bytef *)packed.p;
    z.avail_in = (uInt)packed.n;
    z.next_out = (Bytef *)out;
    z.avail_out = (uInt)room;
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    inflateEnd(&z);
    buf_free(&encoded);
    return (struct str){out, room - z.avail_out};
}

/* A trace of `n` payloads of about `size` bytes, all different but every tenth, of several names. */
static struct run *make_run(unsigned n, size_t size)
{
    struct trace_text t = {0};
    uint64_t seed = 3;

    for (unsigned i = 0; i < n; i++) {
        struct buf text = {0};
        char json[200];

        while (i % 10 && text.n < size)
            buf_printf(&text, "%u %llx\n", i, (unsigned long long)test_random(&seed));
        buf_char(&text, '\0');
        snprintf(json, sizeof json, "{\"artifact\": {\"name\": \"%s\"}, " IN(0, 0, 0) "}",
                 i % 3 ? "inductor_output_code" : i % 2 ? "fx_graph_cache_hit" : "unheard_of");
        trace_payload(&t, json, i % 10 ? text.p : "the same");
        buf_free(&text);
    }
    return trace_run(&t);
}

/* Every payload that is said to be in a block is there. Returns how many are. */
static size_t check_placements(const struct run *r, const struct blocks *b, const struct placements *placements)
{
    struct arena *a = arena_new();
    struct str *texts = ARENA_ARRAY(a, struct str, b->count + 1);
    size_t placed = 0;

    for (size_t i = 0; i < b->count; i++)
        texts[i] = unpack(a, b, i);
    for (size_t k = 0; k < r->inputs.v[0]->artifacts.n; k++) {
        const struct artifact *x = r->inputs.v[0]->artifacts.v[k];
        const struct placement *p = &placements->inputs[0][k];

        if (p->stored != STORED_INLINE)
            continue;
        assert_true(p->block < b->count && p->offset + p->length <= texts[p->block].n);
        assert_same(((struct str){texts[p->block].p + p->offset, (size_t)p->length}), trace_text_of(r, x));
        placed++;
    }
    arena_free(a);
    return placed;
}

static size_t make(const struct run *r, uint64_t budget, unsigned threads, struct str *all, size_t *left_out)
{
    struct pool *pool = pool_new(threads);
    struct placements placements = {0};
    struct buf bytes = {0};
    struct blocks b;
    size_t placed;

    assert_int_equal(blocks_make(&b, r->arena, &(struct answers){.run = r}, &placements, budget, pool), 0);
    assert_true(b.bytes <= budget);
    placed = check_placements(r, &b, &placements);
    for (size_t i = 0; i < b.count; i++)
        assert_int_equal(blocks_read(&b, i, &bytes), 0);
    assert_int_equal(bytes.n, b.bytes);
    *all = arena_str(r->arena, buf_view(&bytes));
    *left_out = b.left_out;
    buf_free(&bytes);
    blocks_free(&b);
    pool_free(pool);
    return placed;
}

static void all_fit(void **state)
{
    struct run *r = make_run(200, 8000);
    struct str one, other;
    size_t left_out;

    (void)state;
    assert_int_equal(make(r, UINT64_MAX, 1, &one, &left_out), 200);
    assert_int_equal(left_out, 0);
    assert_int_equal(make(r, UINT64_MAX, 5, &other, &left_out), 200);
    assert_true(str_eq(one, other));
    run_free(r);
}

/* With too little room the bulkiest stay out, whatever the number of threads. */
static void some_fit(void **state)
{
    struct run *r = make_run(300, 20000);
    struct str whole, one, other;
    size_t left_out, placed, left_out_of_five;

    (void)state;
    make(r, UINT64_MAX, 2, &whole, &left_out);
    placed = make(r, whole.n / 2, 1, &one, &left_out);
    assert_in_range(placed, 60, 200);
    assert_true(left_out > 0);
    assert_int_equal(make(r, whole.n / 2, 5, &other, &left_out_of_five), placed);
    assert_int_equal(left_out_of_five, left_out);
    assert_true(str_eq(one, other));
    assert_int_equal(make(r, 0, 2, &one, &left_out), 0);
    assert_int_equal(one.n, 0);
    run_free(r);
}

/* One payload of so many bytes that do not compress. */
static void add_payload(struct trace_text *t, const char *name, size_t size, uint64_t *seed)
{
    struct buf text = {0};

    while (text.n < size)
        buf_printf(&text, "%llx\n", (unsigned long long)test_random(seed));
    text.n = size;
    buf_char(&text, '\0');
    trace_artifact(t, name, IN(0, 0, 0), text.p);
    buf_free(&text);
}

/* What stays out: by how useful a kind is, then by size; of equal ones what comes last. */
static void the_bulkiest_stay_out(void **state)
{
    static const struct {
        const char *name;
        size_t size;
    } payloads[] = {
        {"fx_graph_cache_hit", 300000}, /* lists what made the key */
        {"unheard_of", 300000},         /* might be anything */
        {"inductor_output_code", 1200000},
        {"inductor_output_code", 300000},
        {"inductor_output_code", 300000},
        {"fx_graph_runnable", 600000}, /* less useful than code, more than what is not known */
        {"dynamo_graph_break_reason", 300000},
    };
    static const int order[] = {6, 3, 4, 2, 5, 1, 0};
    struct trace_text t = {0};
    struct pool *pool = pool_new(2);
    uint64_t seed = 5;
    size_t fit = 0;
    struct run *r;

    (void)state;
    for (size_t i = 0; i < COUNT(payloads); i++)
        add_payload(&t, payloads[i].name, payloads[i].size, &seed);
    r = trace_run(&t);
    for (size_t budget = 0; budget <= 3000000; budget += 100000) {
        struct placements placements = {0};
        struct blocks b;
        size_t n = 0;

        assert_int_equal(blocks_make(&b, r->arena, &(struct answers){.run = r}, &placements, budget, pool), 0);
        while (n < COUNT(order) && placements.inputs[0][order[n]].stored == STORED_INLINE)
            n++;
        assert_true(n >= fit);
        fit = n;
        assert_int_equal(b.left_out, COUNT(order) - n);
        for (; n < COUNT(order); n++)
            assert_int_equal(placements.inputs[0][order[n]].stored, STORED_DROPPED);
        blocks_free(&b);
    }
    assert_int_equal(fit, COUNT(order));
    pool_free(pool);
    run_free(r);
}

/* Equal payloads are stored once. */
static void equal_payloads(void **state)
{
    struct trace_text t = {0};
    char *text = test_malloc(100001);
    uint64_t seed = 1;
    struct str all;
    struct run *r;
    size_t left_out;

    (void)state;
    for (size_t i = 0; i < 100000; i++)
        text[i] = (char)('a' + test_random(&seed) % 26);
    text[100000] = '\0';
    for (int i = 0; i < 20; i++)
        trace_artifact(&t, "x", IN(0, 0, 0), text);
    r = trace_run(&t);
    assert_int_equal(make(r, UINT64_MAX, 2, &all, &left_out), 20);
    assert_true(all.n < 150000);
    test_free(text);
    run_free(r);
}

static void no_payloads(void **state)
{
    struct trace_text t = {0};
    struct str all;
    struct run *r;
    size_t left_out;

    (void)state;
    trace_record(&t, "{\"artifact\": {\"name\": \"x\"}, " IN(0, 0, 0) "}");
    r = trace_run(&t);
    assert_int_equal(make(r, UINT64_MAX, 2, &all, &left_out), 0);
    run_free(r);
    r = trace_run(&t);
    assert_int_equal(r->inputs.v[0]->artifacts.n, 0);
    run_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_fit),
        cmocka_unit_test(some_fit),
        cmocka_unit_test(the_bulkiest_stay_out),
        cmocka_unit_test(equal_payloads),
        cmocka_unit_test(no_payloads),
    };

    return RUN(tests);
}
