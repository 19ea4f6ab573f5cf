#include "unit.h"

#include "input/limits.h"
#include "text/guards/guard_kind.h"
#include "text/guards/guard_tree.h"
#include "util/buf.h"

static struct arena *arena;

static struct guard_tree parse(const char *text)
{
    struct guard_tree t;

    guard_tree_parse(arena, str_of(text), &t);
    return t;
}

static const struct guard_node *child(const struct guard_node *node, size_t i)
{
    assert_true(i < node->children.n);
    assert_ptr_equal(node->children.v[i]->parent, node);
    assert_int_equal(node->children.v[i]->depth, node->depth + 1);
    return node->children.v[i];
}

static void of_2_13(void **state)
{
    struct guard_tree t =
        parse("\n"
              "TREE_GUARD_MANAGER:\n"
              "+- RootGuardManager\n"
              "| +- GLOBAL_STATE: ___check_global_state() against {\"allow_tf32\":false}\n"
              "| +- GuardManager: source=L['d'], accessed_by=FrameLocalsGuardAccessor(key='d', framelocals_idx=1), "
              "type=<class 'dict'>, tag_safe=(False, False)\n"
              "| | +- DICT_LENGTH: len(L['d']) == 1      # return d['a # b']  # model.py:7 in f (HINT: type dict)\n"
              "| | +- KeyValueManager pair at index=0\n"
              "| | | +- KeyManager: GuardManager: source=list(dict.keys(L['d']))[0], type=<class 'str'>, "
              "tag_safe=(True, False)\n"
              "| | | | +- EQUALS_MATCH: list(dict.keys(L['d']))[0] == 'a # b'\n"
              "| | | +- ValueManager: GuardManager: source=L['d']['a # b'], type=<class 'torch.Tensor'>, "
              "tag_safe=(False, False)\n"
              "| | | | +- TENSOR_MATCH: check_tensor(L['d']['a # b'], Tensor)  # return d['a # b']  # model.py:7 in f\n"
              "| | | | +- NO_TENSOR_ALIASING\n"
              "+- LAMBDA_GUARD: 2 <= L['x'].size()[0]\n"
              "\n"
              "Guard latency = 62.04 us");
    const struct guard_node *dict, *pair, *key, *value;

    (void)state;
    assert_int_equal(t.lines, 13);
    assert_int_equal(t.lines_unknown, 0);
    assert_true(t.latency_us > 62.03 && t.latency_us < 62.05);
    assert_str(t.root->kind, "RootGuardManager");
    assert_int_equal(t.root->children.n, 3);
    assert_int_equal(t.guards.n, 6);
    dict = child(t.root, 1);
    assert_false(dict->is_guard);
    assert_str(dict->source, "L['d']");
    assert_str(dict->accessor, "FrameLocalsGuardAccessor(key='d', framelocals_idx=1)");
    assert_str(dict->type, "<class 'dict'>");
    assert_str(child(dict, 0)->kind, "DICT_LENGTH");
    assert_true(child(dict, 0)->is_guard);
    assert_str(child(dict, 0)->text, "len(L['d']) == 1");
    assert_str(child(dict, 0)->user_code, "return d['a # b']");
    assert_str(child(dict, 0)->user_file, "model.py");
    assert_int_equal(child(dict, 0)->user_line, 7);
    assert_str(child(dict, 0)->user_function, "f");
    assert_str(child(dict, 0)->hint, "type dict");
    assert_int_equal(child(dict, 0)->user_string, -1);
    pair = child(dict, 1);
    assert_str(pair->kind, "KeyValueManager");
    assert_str(pair->text, "pair at index=0");
    key = child(pair, 0);
    assert_str(key->kind, "KeyManager");
    assert_str(key->source, "list(dict.keys(L['d']))[0]");
    assert_str(key->type, "<class 'str'>");
    assert_str(child(key, 0)->text, "list(dict.keys(L['d']))[0] == 'a # b'");
    assert_str(child(key, 0)->source, "list(dict.keys(L['d']))[0]");
    value = child(pair, 1);
    assert_str(value->source, "L['d']['a # b']");
    assert_str(child(value, 1)->kind, "NO_TENSOR_ALIASING");
    assert_str(child(value, 1)->text, "");
    assert_str(child(t.root, 2)->text, "2 <= L['x'].size()[0]");
}

/* What is deeper than a guard belongs to the node that the guard belongs to, and is a guard by its kind alone. */
static void below_guards(void **state)
{
    static const struct {
        const char *kind;
        bool is_guard;
    } kinds[] = {{"TYPE_MATCH", true}, {"SomethingNew", true}, {"GuardManager", false}, {"EpilogueLambda", false}};

    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct guard_tree t = parse(arena_printf(arena,
                                                 "TREE_GUARD_MANAGER:\n+- RootGuardManager\n"
                                                 "| +- GuardManager: source=L['a'], accessed_by=A(a)\n"
                                                 "| | +- %s: x\n| | | +- DICT_LENGTH: y\n| +- TYPE_MATCH: z\n",
                                                 kinds[i].kind)
                                        .p);
        const struct guard_node *a = child(t.root, 0);

        assert_str(child(a, 0)->kind, kinds[i].kind);
        assert_int_equal(child(a, 0)->is_guard, kinds[i].is_guard);
        assert_int_equal(child(a, 0)->children.n, kinds[i].is_guard ? 0 : 1);
        assert_int_equal(a->children.n, kinds[i].is_guard ? 2 : 1);
        assert_int_equal(t.root->children.n, 2);
        assert_int_equal(t.guards.n, kinds[i].is_guard ? 3 : 2);
    }
}

/* Accessors were not quoted in 2.5, and there was no type. */
static void of_2_5(void **state)
{
    struct guard_tree t = parse("GUARDS:\n"
                                "\n"
                                "TREE_GUARD_MANAGER:\n"
                                "+- RootGuardManager\n"
                                "| +- GuardManager: source=L['x'], accessed_by=DictGetItemGuardAccessor(it's, x)\n"
                                "| | +- NO_HASATTR: hasattr(L['x'], '_dynamo_dynamic_indices') == False         \n"
                                "Guard eval latency = 4.25 us\n");

    (void)state;
    assert_int_equal(t.lines_unknown, 0);
    assert_str(child(t.root, 0)->accessor, "DictGetItemGuardAccessor(it's, x)");
    assert_str(child(t.root, 0)->type, "");
    assert_str(t.guards.v[0]->source, "L['x']");
    assert_true(t.latency_us == 4.25);
}

static void flat_lists(void **state)
{
    struct guard_tree t = parse("GUARDS:\n"
                                "hasattr(L['x'], '_dynamo_dynamic_indices') == False   # return x  # a.py:5 in f\n"
                                "L['n'] == 3                                           # return x  # a.py:5 in f\n");

    (void)state;
    assert_int_equal(t.guards.n, 2);
    assert_int_equal(t.lines_unknown, 0);
    assert_str(t.guards.v[0]->kind, "DYNAMIC_INDICES");
    assert_str(t.guards.v[1]->kind, "EQUALS_MATCH");
    assert_str(t.guards.v[1]->text, "L['n'] == 3");
    assert_int_equal(t.guards.v[1]->user_line, 5);
    assert_true(t.latency_us < 0);
    /* the log shows the source of some guards in between */
    t = parse("GUARDS:\n"
              "Python shape guard function:\n"
              "def ___make_guard_fn(L):\n"
              "    return True\n"
              "\n"
              "TREE_GUARD_MANAGER:\n"
              "+- RootGuardManager\n"
              "| +- GLOBAL_STATE: ___check_global_state()\n");
    assert_int_equal(t.guards.n, 1);
    assert_int_equal(t.lines_unknown, 0);
}

static void checks_of_several_lines(void **state)
{
    struct guard_tree t = parse("+- RootGuardManager\n"
                                "| +- GuardManager: source=L['a'], accessed_by=A(a)\n"
                                "| | +- EQUALS_MATCH: L['a'] == array([[1],\n"
                                "       [2]])  # use(a)  # a.py:9 in f\n"
                                "| +- GuardManager: source=L['b'], accessed_by=A(b)\n"
                                "| | +- TRUE_MATCH: L['b'] == True\n"
                                "\n"
                                "what is this\n");

    (void)state;
    assert_int_equal(t.guards.n, 2);
    assert_str(t.guards.v[0]->text, "L['a'] == array([[1],\n       [2]])");
    assert_str(t.guards.v[0]->user_code, "use(a)");
    assert_int_equal(t.guards.v[0]->user_line, 9);
    assert_int_equal(t.lines, 7);
    assert_int_equal(t.lines_unknown, 1);
}

static void json_list(void **state)
{
    struct guard_tree t;

    (void)state;
    assert_true(guard_tree_parse_json(
        arena,
        STR("[\n"
            "{\"code\": \"L['n'] == 3\", \"stack\": null, \"user_stack\": [{\"line\": 1, \"name\": \"outer\", "
            "\"filename\": 0}, {\"line\": 5, \"name\": \"f\", \"filename\": 2}]},\n"
            "{\"code\": \"___check_obj_id(L['fn'], 14)\", \"stack\": null, \"user_stack\": null},\n"
            "{\"code\": null},\n"
            "17\n"
            "]"),
        &t));
    assert_int_equal(t.guards.n, 2);
    assert_int_equal(t.lines, 4);
    assert_int_equal(t.lines_unknown, 2);
    assert_str(t.guards.v[0]->kind, "EQUALS_MATCH");
    assert_int_equal(t.guards.v[0]->user_line, 5);
    assert_int_equal(t.guards.v[0]->user_string, 2);
    assert_str(t.guards.v[0]->user_function, "f");
    assert_str(t.guards.v[1]->kind, "ID_MATCH");
    assert_int_equal(t.guards.v[1]->user_string, -1);
    assert_false(guard_tree_parse_json(arena, STR("{\"code\": \"x\"}"), &t));
    assert_non_null(t.root);
    assert_false(guard_tree_parse_json(arena, STR("[{\"code\": "), &t));
    assert_false(guard_tree_parse_json(arena, STR(""), &t));
}

/* Levels that jump, children below checks, marks without a kind: a tree of what can be understood. */
static void hostile_trees(void **state)
{
    struct guard_tree t = parse("| | | | | +- TRUE_MATCH: a\n"
                                "+- RootGuardManager\n"
                                "| +- FALSE_MATCH: b\n"
                                "| | +- TRUE_MATCH: c\n"
                                "| +- \n"
                                "| | | +- GuardManager: source=L['x']\n"
                                "+- RootGuardManager\n");

    (void)state;
    assert_int_equal(t.guards.n, 3);
    for (size_t i = 0; i < t.guards.n; i++)
        assert_ptr_equal(t.guards.v[i]->parent, t.root);
    assert_int_equal(t.lines_unknown, 1);
    assert_int_equal(t.root->children.n, 5);
    t = parse("");
    assert_non_null(t.root);
    assert_int_equal(t.lines, 0);
    t = parse("Guard latency = soon us\nGuard latency =  us\n");
    assert_int_equal(t.lines_unknown, 1);
}

static void deep_trees_are_cut(void **state)
{
    struct buf b = {0};
    struct guard_tree t;
    unsigned deepest = 0;

    (void)state;
    for (int i = 0; i < LIMIT_GUARD_DEPTH * 2; i++) {
        for (int j = 0; j < i; j++)
            buf_str(&b, STR("| "));
        buf_printf(&b, "+- GuardManager: source=%d\n", i);
    }
    guard_tree_parse(arena, buf_view(&b), &t);
    for (const struct guard_node *n = t.root; n; n = n->children.n ? n->children.v[n->children.n - 1] : NULL)
        deepest = n->depth;
    assert_int_equal(deepest, LIMIT_GUARD_DEPTH);
    assert_int_equal(t.lines_unknown, 0);
    buf_free(&b);
}

static void every_kind_has_words(void **state)
{
    static const char *const kinds[] = {
        "COMPLEX_IS_NAN",
        "DEFAULT_DEVICE",
        "DICT_CONTAINS",
        "DICT_LENGTH",
        "DICT_VERSION",
        "DIMENSION_DYNAMIC_MARKING_GUARD",
        "DISPATCH_KEY_SET_MATCH",
        "DUAL_LEVEL_MATCH",
        "DYNAMIC_INDICES",
        "EQUALS_MATCH",
        "FAKE_SCRIPT_TYPE_MATCH",
        "FALSE_MATCH",
        "FLOAT_IS_NAN",
        "GLOBAL_STATE",
        "ID_MATCH",
        "LAMBDA_GUARD",
        "LENGTH_CHECK",
        "MAPPING_KEYS_MATCH",
        "NONE_MATCH",
        "NOT_NONE",
        "NO_HASATTR",
        "NO_TENSOR_ALIASING",
        "OBJECT_ALIASING",
        "RANGE_ITERATOR_MATCH",
        "SET_CONTAINS",
        "STORAGE_OVERLAPPING",
        "SYMBOLIC_SHAPE_GUARD",
        "TENSOR_MATCH",
        "TORCH_FUNCTION_MODE_STACK",
        "TRUE_MATCH",
        "TUPLE_ITERATOR_LEN",
        "TYPE_MATCH",
        "WEAKREF_ALIVE",
    };

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_non_null(guard_kind_words(str_of(kinds[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_2_13),
        cmocka_unit_test(below_guards),
        cmocka_unit_test(of_2_5),
        cmocka_unit_test(flat_lists),
        cmocka_unit_test(checks_of_several_lines),
        cmocka_unit_test(json_list),
        cmocka_unit_test(hostile_trees),
        cmocka_unit_test(deep_trees_are_cut),
        cmocka_unit_test(every_kind_has_words),
    };
    int failed;

    arena = arena_new();
    failed = RUN(tests);
    arena_free(arena);
    return failed;
}
