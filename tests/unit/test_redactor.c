#include "unit.h"

#include "redact/redactor.h"

struct pair {
    const char *text, *expected;
};

static void check(struct redactor *r, struct str (*how)(struct redactor *, struct str), const struct pair *pairs,
                  size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_string_equal(how(r, str_of(pairs[i].text)).p, pairs[i].expected);
}

/* What Python and PyTorch call theirs stays, also with numbers behind it. */
static void what_is_pytorchs_stays(void **state)
{
    static const char *const texts[] = {
        "",
        "x",
        "torch.ops.aten.add.Tensor(arg0_1, 1.5)",
        "for i in range(10): pass",
        "add_12",
        "convolution_backward_1",
        "buf12 = empty_strided_cuda((s77, 4), (4, 1), torch.float32)",
        "triton_poi_fused_add_native_layer_norm_2",
        "tensor 'L['x']' size mismatch at index 0. expected 3, actual 4",
        "0x7f12ab, 1e-05, 3x4, 2.13.0+cpu",
        "__compiled_fn_3",
        "GB0059",
        "torch/_dynamo/symbolic_convert.py:1076",
        "[0/1] and 3/4",
    };
    struct redactor *r = redactor_new();

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++)
        assert_string_equal(redactor_code(r, str_of(texts[i])).p, texts[i]);
    redactor_free(r);
}

static void other_words_are_replaced(void **state)
{
    static const struct pair pairs[] = {
        {"acme_price(acme_price, basket)", "name1(name1, name2)"},
        {"L['basket'].size()[0]", "L['name2'].size()[0]"},
        {"Basket BASKET", "name3 name4"},
        {"torch_dynamo_resume_in_acme_price_at_12", "torch_dynamo_resume_in_name1_at_12"},
        {"l_basket_", "l_name2_"},
        {"triton_poi_fused_add_acme_0", "triton_poi_fused_name5"},
        {"basket_12", "name6"},
        {"gr\xc3\xb6\xc3\x9f\x65", "name7"},
        {"12basket", "name8"},
        {"'secret' + \"token\"", "'name9' + \"name10\""},
        {"123456789012345678901", "name11"},
        {"a\xe2\x86\x92"
         "basket",
         "a\xe2\x86\x92name2"},
    };
    struct redactor *r = redactor_new();

    (void)state;
    check(r, redactor_code, pairs, COUNT(pairs));
    redactor_free(r);
}

/* What JSON escapes is the same word without; what stands for another character is no part of a word. */
static void escapes_are_undone(void **state)
{
    static const struct pair pairs[] = {
        {"caf\xc3\xa9", "name1"},      {"\"caf\\u00e9\"", "\"name1\""},   {"a\\nbasket", "a\\nname2"},
        {"\\\\nbasket", "\\\\nname2"}, {"\\u0000basket", "\\u0000name2"}, {"\\x1bbasket", "\\x1bname2"},
        {"\\u00e9", "name3"},          {"\\u2192basket", "\\u2192name2"},
    };
    struct redactor *r = redactor_new();

    (void)state;
    check(r, redactor_code, pairs, COUNT(pairs));
    redactor_free(r);
}

/* What stands first in a text is what it is behind a space. */
static void first_in_a_text(void **state)
{
    static const char *const texts[] = {
        "/home/alice/shop/prices.py",
        "/home/alice",
        "/quokka",
        "shop/prices.py",
        "prices.py",
        "./shop/prices.py",
        "~/shop/prices.py",
        "/usr/lib/python3.12/site-packages/torch/_dynamo/x.py",
        "/home/alice/venv/lib/python3.12/site-packages/torch/_dynamo/x.py:7",
        "https://shop.example/basket",
        "10.20.30.40:29500",
        "basket",
        "-basket",
        "=/home/alice/x.py",
        "\\nbasket",
        "7 baskets",
        "",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++)
        for (int prose = 0; prose < 2; prose++) {
            struct redactor *first = redactor_new(), *behind = redactor_new();
            struct buf one = {0}, other = {0}, text = {0};

            redactor_append(first, str_of(texts[i]), prose, &one);
            buf_printf(&text, " %s", texts[i]);
            redactor_append(behind, buf_view(&text), prose, &other);
            assert_same(buf_view(&one), str_skip(buf_view(&other), 1));
            buf_free(&text);
            buf_free(&one);
            buf_free(&other);
            redactor_free(first);
            redactor_free(behind);
        }
}

static void paths_keep_what_is_pytorchs(void **state)
{
    static const struct pair pairs[] = {
        {"/home/alice/shop/prices.py", "/dir1/name1.py"},
        {"/home/alice/shop/basket.py", "/dir1/name2.py"},
        {"prices.py", "name1.py"},
        {"shop/prices.py", "dir2/name1.py"},
        {"/home/alice/train/train.py", "/dir3/name3.py"},
        {"/opt/env/lib/python3.11/site-packages/torch/nn/modules/linear.py",
         "/dir4/site-packages/torch/nn/modules/linear.py"},
        {"/opt/env/lib/python3.11/site-packages/torch/acme/secret.py", "/dir4/site-packages/dir5/name4.py"},
        {"/usr/lib/python3.11/contextlib.py", "/dir6/lib/python3.11/contextlib.py"},
        {"/usr/lib/python3.11-acme/contextlib.py", "/dir7/name5.py"},
        {"/tmp/torchinductor_alice/ab/cabc.py", "/dir8/torchinductor_name6/name7/name8.py"},
        {"/x/dedicated_log_torch_trace_rank_3_abcd.log.gz", "/dir9/dedicated_log_torch_trace_rank_3_name9.log.gz"},
        {"<frozen importlib>", "<name10 importlib>"},
        {"/", "/dir10/"},
        {"", ""},
    };
    struct redactor *r = redactor_new();

    (void)state;
    check(r, redactor_path, pairs, COUNT(pairs));
    redactor_free(r);
}

static void paths_and_addresses_are_found_in_texts(void **state)
{
    static const struct pair pairs[] = {
        {"File \"/home/alice/shop/prices.py\", line 3", "File \"/dir1/name1.py\", line 3"},
        {"see shop/prices.py:12.", "see dir2/name1.py:12."},
        {"a/b and s0//2", "a/b and s0//2"},
        {"at https://acme.example/x?token=1, or", "at url1, or"},
        {"https://docs.pytorch.org/docs/main/torch.html", "https://docs.pytorch.org/docs/main/torch.html"},
        {"https://github.com/pytorch/pytorch/issues/1 https://github.com/acme/x",
         "https://github.com/pytorch/pytorch/issues/1 url2"},
        {"to 10.1.2.3:80 and 1.2.3", "to host1:80 and 1.2.3"},
        {"HOME=/home/alice", "name2=/dir3/name3"},
        {"worker10.1.2.3 at ip-10-1-2-3.ec2.internal", "name4host1 at host2"},
    };
    struct redactor *r = redactor_new();

    (void)state;
    check(r, redactor_code, pairs, COUNT(pairs));
    redactor_free(r);
}

/* Words of messages stay in sentences alone, and not where they are known as names of the user's. */
static void prose_is_for_sentences(void **state)
{
    static const struct pair pairs[] = {
        {"Failed to trace this call. Consider another one.", "Failed to trace this call. Consider another one."},
        {"the basket is missing", "the name1 is missing"},
        {"'missing' and missing() and missing.call", "'name2' and name2() and name2.call"},
    };
    static const struct pair code[] = {{"the missing", "the name2"}};
    static const struct pair later[] = {{"it is missing", "it is name3"}};
    struct redactor *r = redactor_new();

    (void)state;
    check(r, redactor_prose, pairs, COUNT(pairs));
    check(r, redactor_code, code, COUNT(code));
    redactor_free(r);
    r = redactor_new();
    redactor_code(r, STR("basket"));
    redactor_name(r, STR("Shop.missing"));
    check(r, redactor_prose, later, 1);
    redactor_free(r);
}

static void a_skeleton_has_no_numbers(void **state)
{
    static const struct pair pairs[] = {
        {"0/1: tensor 'x' size mismatch at index 2. expected 512, actual 768",
         "0/1: tensor 'x' size mismatch at index 2. expected n1, actual n2"},
        {"L['x'].size()[0] == 512", "L['x'].size()[0] == n1"},
        {"s77 < 768", "s77 < n2"},
    };
    struct redactor *r = redactor_new();

    (void)state;
    r->without_numbers = true;
    check(r, redactor_code, pairs, COUNT(pairs));
    redactor_free(r);
}

static void commands_keep_options(void **state)
{
    static const char *const words[] = {
        "/usr/bin/pt2trace", "show", "/home/alice/trace", "0/1", "--redact", "-j", "4", "--rank=3", "-o", "acme-out",
        "--note=Ask alice"};
    static const char *const expected[] = {"pt2trace", "show",     "/dir1/name1", "0/1",   "--redact",    "-j",
                                           "4",        "--rank=3", "-o",          "name2", "--note=name3"};
    struct redactor *r = redactor_new();
    const char *const *out = redactor_command(r, words, COUNT(words), "show");

    (void)state;
    for (size_t i = 0; i < COUNT(words); i++)
        assert_string_equal(out[i], expected[i]);
    redactor_free(r);
}

static void the_map_has_what_was_replaced(void **state)
{
    struct redactor *r = redactor_new();
    struct buf b = {0};

    (void)state;
    redactor_code(r, STR("basket at /home/alice/shop.py"));
    redactor_write_map(r, &b);
    buf_char(&b, '\0');
    assert_string_equal(b.p, "{\n \"name1\": \"basket\",\n \"name2\": \"shop\",\n \"dir1\": \"/home/alice\"\n}\n");
    buf_free(&b);
    redactor_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_pytorchs_stays),
        cmocka_unit_test(other_words_are_replaced),
        cmocka_unit_test(escapes_are_undone),
        cmocka_unit_test(first_in_a_text),
        cmocka_unit_test(paths_keep_what_is_pytorchs),
        cmocka_unit_test(paths_and_addresses_are_found_in_texts),
        cmocka_unit_test(prose_is_for_sentences),
        cmocka_unit_test(a_skeleton_has_no_numbers),
        cmocka_unit_test(commands_keep_options),
        cmocka_unit_test(the_map_has_what_was_replaced),
    };

    return RUN(tests);
}
