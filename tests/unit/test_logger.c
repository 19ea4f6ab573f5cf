#include "unit.h"

#include "input/logger.h"

static void layouts(void **state)
{
    static const struct {
        const char *line;
        char level;
        const char *text;
    } rows[] = {
        {"2024-05-06 07:08:09,123 - shop.train - INFO - step 3", 'I', "step 3"},
        {"05-06-2024 07:08:09 ERROR [shop:shop.py:sell:0151] no fur", 'E', "no fur"},
        {"[INFO|shop.py:151] 2024-05-06 07:08:09,123 >> step 3", 'I', "step 3"},
        {"DEBUG:shop.train:step 3", 'V', "step 3"},
        {"ERROR:shop:RuntimeError: no fur", 'E', "RuntimeError: no fur"},
        {"ERROR: RuntimeError: no fur", 'E', "RuntimeError: no fur"},
        {"2024-05-06 07:08:09.123 | ERROR    | shop:sell:151 - no fur", 'E', "no fur"},
        {"INFO 05-06 07:08:09 [shop.py:151] step 3", 'I', "step 3"},
        {"(Worker pid=9) INFO 05-06 07:08:09 shop.py:151] step 3", 'I', "step 3"},
        {"2024-05-06 07:08:09 [info     ] step 3", 'I', "step 3"},
        {"[2024-05-06 07:08:09,123][shop][WARNING] - no fur", 'W', "no fur"},
        {"2024-05-06 07:08:09 [shop[till]] INFO step 3", 'I', "step 3"},
        {"- shop.train - INFO - step 3", 'I', "step 3"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str line = str_of(rows[i].line);
        char level = 0;

        assert_true(logger_take(&line, &level));
        assert_int_equal(level, rows[i].level);
        assert_str(line, rows[i].text);
        assert_int_equal(logger_only_informs(str_of(rows[i].line)), level == 'I' || level == 'V');
    }
}

static void no_logger(void **state)
{
    static const char *const lines[] = {
        "", "    return self.sell(x)", "'quokka' object has no attribute 'fur'", "RuntimeError: INFO is no price",
        "The INFO of a quokka", "INFORMATION about quokkas", "  File \"/srv/shop.py\", line 3, in sell",
        "[2, 3] has the wrong size", "info: no brackets", "2024-05-06 07:08:09 a quokka of the shop said INFO"};

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct str line = str_of(lines[i]);
        char level;

        assert_false(logger_take(&line, &level));
        assert_false(logger_only_informs(line));
    }
    assert_true(logger_only_informs(STR("I0506 07:08:09.371000 9102 torch/_dynamo/shop.py:303] step 3")));
    assert_false(logger_only_informs(STR("W0506 07:08:09.371000 9102 torch/_dynamo/shop.py:303] no fur")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts),
        cmocka_unit_test(no_logger),
    };

    return RUN(tests);
}
