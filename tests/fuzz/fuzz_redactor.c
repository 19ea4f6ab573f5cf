/* Text of any bytes with a secret in it: no secret comes out, and what comes out is the same each time. */
#include "fuzz.h"

#include "redact/redactor.h"

/* A name of nobody's, and an address. */
static const struct str secrets[] = {STR_INIT("zqxvwkname"), STR_INIT("10.23.45.67"), STR_INIT("zqx.vwk@corp.example")};

enum { SECRETS = sizeof secrets / sizeof *secrets };

static void look_for(struct str text, struct str secret, const char *where)
{
    fuzz_check(!str_has(text, secret), where);
}

static void use(struct str text, struct str secret)
{
    struct redactor *r = redactor_new(), *again = redactor_new();
    struct str prose = redactor_prose(r, text);

    look_for(prose, secret, "no secret is in prose");
    fuzz_check(str_eq(prose, redactor_prose(again, text)), "the same text becomes the same");
    look_for(redactor_code(r, text), secret, "no secret is in code");
    look_for(redactor_path(r, text), secret, "no secret is in a path");
    look_for(redactor_key(r, text), secret, "no secret is in a key");
    redactor_free(r);
    redactor_free(again);
}

/*
 * The first byte says which secret, the second where; around it is what no letter of it is. A text that has the secret
 * itself may have it as a part of another name or number, which stays.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str secret = secrets[size ? data[0] % SECRETS : 0], rest;
    struct buf text = {0};
    size_t at;

    if (size < 2)
        return 0;
    rest = (struct str){(const char *)data + 2, size - 2 < 16384 ? size - 2 : 16384};
    if (str_has(rest, secret))
        return 0;
    at = rest.n * data[1] / 256;
    buf_str(&text, str_take(rest, at));
    buf_char(&text, ' ');
    buf_str(&text, secret);
    buf_char(&text, ' ');
    buf_str(&text, str_skip(rest, at));
    use(buf_view(&text), secret);
    buf_free(&text);
    return 0;
}
