#include "unit.h"

#include "redact/address.h"
#include "util/buf.h"

/* The text with each address as '#', as a redactor goes through it: from the left, at every byte outside of them. */
static void check(const char *text, const char *expected)
{
    struct str s = str_of(text);
    struct buf out = {0};

    for (size_t at = 0; at < s.n;) {
        size_t n = address_length(s, at);

        buf_char(&out, n ? '#' : s.p[at]);
        at += n ? n : 1;
    }
    buf_char(&out, '\0');
    if (strcmp(out.p, expected) != 0)
        fail_msg("%s became %s, not %s", text, out.p, expected);
    buf_free(&out);
}

static void addresses_are_found(void **state)
{
    static const char *const texts[][2] = {
        {"10.23.45.67", "#"},
        {"to 10.23.45.67:29500.", "to #:29500."},
        {"from 10.23.45.67.", "from #."},
        {"node_10.23.45.67 worker10.23.45.67x", "node_# worker#x"},
        {"ip-10-23-45-67 host-8-8-4-4", "ip-# host-#"},
        {"node_10_23_45_67", "node_#"},
        {"10\\.23\\.45\\.67 10\\\\.1\\\\.2\\\\.3", "# #"},
        {"00:1b:44:11:3a:b7 00-1B-44-11-3A-B7 0011.4411.3307", "# # #"},
        {"a0:00:02:20:fe:80:00:00", "#"},
        {"[fe80::dead:beef]:29500", "[#]:29500"},
        {"2001:db8:0:1:1:1:1:1, 2001:db8::1", "#, #"},
        {"::ffff:10.1.2.3", "#"},
        {"GPU-5f2c1d9e-77aa-4b1c-9e0f-aabbccddeeff", "GPU-#"},
        {"12345678-1234-1234-1234-123456789012", "#"},
        {"ip-10-23-45-67.ec2.internal x.svc.cluster.local:80", "# #:80"},
        {"bucket-1.s3.amazonaws.com/x", "#/x"},
        {"i-0123456789abcdef0 vol-01234567890123456", "# #"},
        {"arn:aws:iam::123456789012:role/train,", "#,"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++)
        check(texts[i][0], texts[i][1]);
}

/* What readers of guards, stacks and code need stays. */
static void other_numbers_stay(void **state)
{
    static const char *const texts[] = {
        "1.2.3",
        "2.13.0+cpu",
        "1.2.3.400",
        "300.1.2.3",
        "2026-11-22-13",
        "2026-11-22 13:05:56.123456",
        "x[1::2] x[::2] x[::-1] x[a:b] x[1:2:3]",
        "aten::add at::Tensor c10::cuda std::vector",
        "{1: 2, 3: 4}",
        "add_1_2_3 view_8_16_32_64",
        "0x7f12abcd 140234567890123",
        "dead.beef cafe:babe",
        "self.net.local module.internal_name",
        "torch/_dynamo/x.py:33",
        "10.5 + 23.45",
        "Tensor(2, 3, 4, 5)",
        "12:34:56",
        "00:11:22:33",
        "",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++)
        check(texts[i], texts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_found),
        cmocka_unit_test(other_numbers_stay),
    };

    return RUN(tests);
}
