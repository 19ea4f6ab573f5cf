/* Findings about recompiles and errors: what is said, how bad it is, and what to do. */
#include "answers_text.h"

/* --- recompiles --------------------------------------------------------------------------------------------------- */

/* Microseconds of each compile: they follow each other, a minute apart. */
#define TOOK(us) #us

/* Compiles [frame/1] to [frame/n] of a function, each for one reason and so many microseconds long. */
static void recompiled(struct trace_text *t, int frame, const char *function, int n, const char *reason,
                       const char *took)
{
    for (int i = 1; i <= n; i++) {
        char metrics[200];

        snprintf(metrics, sizeof metrics, "\"graph_op_count\": 2, \"start_time_us\": %lld, \"duration_us\": %s",
                 TRACE_EPOCH_US + (100 * frame + i) * 60000000ll, took);
        trace_artifact(t, "recompile_reasons", trace_ids(frame, i, 0), reason);
        trace_start(t, trace_ids(frame, i, 0), function, 5 + frame);
        trace_metrics(t, trace_ids(frame, i, 0), metrics);
    }
}

static void the_harm_of_recompiles(void **state)
{
    static const struct {
        int compiles;
        const char *took;
        enum finding_severity severity;
        const char *title;
    } cases[] = {
        {1, TOOK(1000), FINDING_LOW, "`f` recompiled once: the Python number `n` was 7 and has changed"},
        {2, TOOK(1499999), FINDING_LOW, "`f` recompiled twice: the Python number `n` was 7 and has changed"},
        {2, TOOK(1500000), FINDING_MEDIUM, NULL},
        {3, TOOK(1000), FINDING_MEDIUM, NULL},
        {5, TOOK(1000), FINDING_MEDIUM, NULL},
        {6, TOOK(1000), FINDING_HIGH, NULL},
        {1, TOOK(30000000), FINDING_HIGH, NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct finding *x;

        trace_file(&t);
        recompiled(&t, 0, "f", cases[i].compiles, "0/0: n == 7", cases[i].took);
        a = answers_of_trace(&t);
        x = answers_finding(a, "recompile-int");
        if (x->severity != cases[i].severity)
            fail_msg("case %zu is %s", i, finding_severity_name(x->severity));
        if (cases[i].title)
            assert_str(x->title, cases[i].title);
        assert_int_equal(x->cost_compiles, cases[i].compiles);
        assert_int_equal(x->compiles.n, cases[i].compiles);
        assert_int_equal(x->line, 100); /* of the call */
        answers_free(a);
    }
}

/* Several functions that are compiled again for one cause are one finding; another cause is another. */
static void causes(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    const struct finding *x;

    (void)state;
    trace_file(&t);
    recompiled(&t, 0, "f", 1, "0/0: n == 7", TOOK(100));
    recompiled(&t, 1, "g", 2, "1/0: n == 7", TOOK(100));
    recompiled(&t, 2, "torch_dynamo_resume_in_h_at_7", 2, "2/0: flag == True", TOOK(10));
    recompiled(&t, 3, "k", 1, "", TOOK(1));
    a = answers_of_trace(&t);
    assert_str(answers_findings(a), "low recompile-int, low recompile-constant, low recompile-unknown");
    x = answers_finding(a, "recompile-int");
    assert_str(x->title, "`f` and 1 more recompiled 3 times: the Python number `n` was 7 and has changed");
    assert_int_equal(x->cost_us, 300);
    assert_str(x->detail, "Failed guard: n == 7.");
    assert_str(answers_finding(a, "recompile-constant")->title,
               "`h` recompiled twice: `flag` was True and no longer is");
    x = answers_finding(a, "recompile-unknown");
    assert_str(x->title, "`k` recompiled once: the trace does not say why");
    assert_str(x->paste.text, "TORCH_LOGS=\"recompiles\"");
    answers_free(a);
}

#define DYNAMIC "torch._dynamo.config.assume_static_by_default = False"

/* Two compiles of one module's code that two lines call: modules of their own, if the lines call different objects. */
static void a_module_for_each_line(void **state)
{
    static const struct {
        const char *lines[2];
        bool apart;
    } cases[] = {
        {{"y = first(x)", "y = second(x)"}, true},
        {{"y = first(x)", "y = first(x + 1)"}, false},
        {{"y = first(x)", "y = x @ second"}, false},
        {{"y = x @ first", "y = second(x)"}, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;

        trace_file(&t);
        for (int k = 0; k < 2; k++) {
            trace_recordf(&t,
                          "{\"dynamo_start\": {\"stack\": [{\"line\": %d, \"name\": \"<module>\", \"filename\": 0, "
                          "\"loc\": \"%s\"}, {\"line\": 5, \"name\": \"f\", \"filename\": 0}]}, %s}",
                          100 + k, cases[i].lines[k], trace_ids(0, k, 0));
            if (k)
                trace_artifact(&t, "recompile_reasons", trace_ids(0, k, 0),
                               "0/0: tensor 'self._modules['l']._parameters['weight']' size mismatch at index 0. "
                               "expected 4, actual 5");
            trace_metrics(&t, trace_ids(0, k, 0), "\"graph_op_count\": 2");
        }
        a = answers_of_trace(&t);
        if (str_has(answers_finding(a, "recompile-many-modules")->fix, STR("another line")) != cases[i].apart)
            fail_msg("%s, %s", cases[i].lines[0], cases[i].lines[1]);
        answers_free(a);
    }
}

static void kinds_of_recompiles(void **state)
{
    static const struct {
        const char *reason, *id, *fix, *paste;
    } cases[] = {
        {"0/0: tensor 'x' size mismatch at index 1. expected 4, actual 5", "recompile-size", "these sizes vary",
         DYNAMIC},
        {"0/0: tensor 'xs[0]' size mismatch at index 0. expected 4, actual 5", "recompile-size", "these sizes vary",
         DYNAMIC},
        {"0/0: tensor 'x' size mismatch at index 0. expected 4, actual 1", "recompile-small-size", "sizes of 0 and 1",
         ""},
        {"0/0: 2 <= x.size()[0]", "recompile-small-size", "sizes of 0 and 1", ""},
        {"0/0: tensor 'xs[0]' size mismatch at index 0. expected 0, actual 4", "recompile-small-size",
         "sizes of 0 and 1", ""},
        {"0/0: tensor 'w' size mismatch at index 0. expected 4, actual 5. Guard failed on a parameter, no",
         "recompile-parameter", "sizes of parameters",
         "torch._dynamo.config.force_parameter_static_shapes = False\n"
         "torch._dynamo.config.assume_static_by_default = False"},
        {"0/0: tensor 'self._modules['l'].weight' size mismatch at index 0. expected 4, actual 5. Guard failed on a "
         "parameter, no",
         "recompile-many-modules", "share this code", ""},
        {"0/0: tensor 'self._modules['l']._parameters['weight']' size mismatch at index 0. expected 4, actual 5",
         "recompile-many-modules", "share this code", ""},
        {"0/0: n == 7", "recompile-int", "Let it be dynamic", DYNAMIC},
        {"0/0: n == 1", "recompile-int", "Let it be dynamic", DYNAMIC},
        {"0/0: self.layer == 7  # a  # b.py:1 in f (HINT: attributes of the nn.Module)", "recompile-module-attribute",
         "several modules", ""},
        {"0/0: self.heads == 7  # y = x.view(x.shape[0], self.heads)  # b.py:1 in f (HINT: attributes of the "
         "nn.Module)",
         "recompile-module-attribute", "several modules", ""},
        {"0/0: self.causal == True  # a  # b.py:1 in f (HINT: attributes of the nn.Module)",
         "recompile-module-attribute", "each of its two values", ""},
        {"0/0: G['N'] == 7", "recompile-global-value", "global variable", "N = torch.tensor(N)"},
        {"0/0: lr == 0.5", "recompile-float", "A Python float is compiled in", "lr = torch.tensor(lr)"},
        {"0/0: self.param_groups[0]['lr'] == 0.1", "recompile-learning-rate", "Keep it in a tensor",
         "for group in optimizer.param_groups:\n    group[\"lr\"] = torch.tensor(group[\"lr\"])"},
        {"0/0: self.param_groups[0]['betas'][0] == 0.9", "recompile-learning-rate", "cycle_momentum=False", ""},
        {"0/0: f.__closure__[0].cell_contents == 2", "recompile-function", "in alphabetical order", ""},
        {"0/0: ___check_obj_id(f.__code__, 77), type=<class 'code'>", "recompile-function", "outside of the loop", ""},
        {"0/0: tensor 'x' stride mismatch at index 0. expected 5, actual 1", "recompile-stride",
         "the same memory layout", "x = x.new_empty(x.shape).copy_(x)"},
        {"0/0: L['n'] == 7  # for i in range(1, n + 2):  # b.py:1 in f", "recompile-specialized",
         "unrolled into the graph", ""},
        {"0/0: L['m'] == 7  # for i in range(many.m, mm):  # b.py:1 in f", "recompile-int", "until it has changed once",
         DYNAMIC},
        {"0/0: tensor 'x' dtype mismatch. expected Float, actual Int", "recompile-dtype", "one dtype",
         "x = x.to(torch.float32)"},
        {"0/0: tensor 'x' rank mismatch. expected 2, actual 1", "recompile-dimensions", "number of dimensions", ""},
        {"0/0: tensor 'x' requires_grad mismatch. expected requires_grad=0", "recompile-requires-grad", "Set it once",
         ""},
        {"0/0: tensor 'x' dispatch key set mismatch. expected DispatchKeySet(CPU, AutogradCPU), actual "
         "DispatchKeySet(Meta, AutogradMeta)",
         "recompile-device", "one device", ""},
        {"0/0: tensor 'x' dispatch key set mismatch. expected DispatchKeySet(CPU, AutogradCPU), actual "
         "DispatchKeySet(CPU)",
         "recompile-inference-tensor", "inference_mode", "x = x.clone()"},
        {"0/0: tensor 'x' dispatch key set mismatch. expected DispatchKeySet(CPU, BackendSelect), actual "
         "DispatchKeySet(CPU, BackendSelect, ADInplaceOrView)",
         "recompile-inference-tensor", "inference_mode", "x = x.clone()"},
        {"0/0: ___check_obj_id(x, 77), type=<class 'torch.Tensor'>", "recompile-identity", "which object", ""},
        {"0/0: x is y", "recompile-aliasing", "the same object", ""},
        {"0/0: ___check_type_id(thing, 94), type=<class '__main__.Adder'>", "recompile-type", "another type", ""},
        {"0/0: self.training == True", "recompile-training-flag", "train() and eval()", ""},
        {"0/0: len(xs) == 2", "recompile-length", "one tensor", ""},
        {"0/0: len(d) != 2", "recompile-dict-keys", "same keys", ""},
        {"0/0: set.__contains__(s, 'a')", "recompile-dict-keys", "what is in this set", ""},
        {"0/0: p[1].grad is None", "recompile-none", "gradient of a parameter", ""},
        {"0/0: b is None", "recompile-none", "None", ""},
        {"0/0: flag == True", "recompile-constant", "A flag", ""},
        {"0/0: GLOBAL_STATE changed: grad_mode ", "recompile-global-state", "torch.no_grad()", ""},
        {"0/0: GLOBAL_STATE changed: num_threads ", "recompile-global-state", "set_num_threads", ""},
        {"0/0: GLOBAL_STATE changed: autocast(cpu)_dtype ", "recompile-global-state", "torch.autocast", ""},
        {"0/0: y.size()[0] == x.size()[0]  # duck sizing added this equality because these variables had the same size "
         "5",
         "recompile-shape-relation", "treated them as one size", ""},
        {"0/0: x.size()[0] <= 6  # if x.shape[0] > 6:  # x.py:12 in f", "recompile-shape-relation",
         "each side of the decision", ""},
        {"0/0: GLOBAL_STATE changed: what ", "recompile-global-state", "A global setting", ""},
        {"0/0: ___check_current_backend(1401)", "recompile-backend", "several backends",
         "compiled = torch.compile(..., backend=backend)"},
        {"0/0: Cache line invalidated because L['m'] got deallocated", "recompile-invalidated", "reset()", ""},
        {"0/0: self.attn.layer_idx == 3  # a  # b.py:1 in f (HINT: attributes of the nn.Module)",
         "recompile-module-attribute", "Each layer has its own number", ""},
        {"0/0: self.attn.index == 3  # a  # b.py:1 in f (HINT: attributes of the nn.Module)",
         "recompile-module-attribute", "several modules", ""},
        {"0/0: tensor '___from_numpy(L['x'])' dtype mismatch. expected Float, actual Double", "recompile-dtype",
         "this array of NumPy to one dtype", "x = x.astype(\"float32\")"},
        {"0/0: tensor '___from_numpy(L['x'])' stride mismatch at index 0. expected 5, actual 1", "recompile-stride",
         "Give this array of NumPy", "x = x.copy()"},
        {"0/0: len(self.cache) == 2  # self.cache.append(x)  # b.py:1 in f", "recompile-length",
         "The compiled code itself puts something", ""},
        {"0/0: not ___dict_contains('a', L['d'])  # d['a'] = x  # b.py:1 in f", "recompile-dict-keys",
         "no in the first call, yes from then on", ""},
        {"0/0: not L['flag']  # if flag:  # b.py:1 in f", "recompile-length", "empty in the first call", ""},
        {"0/0: hasattr(L['m'], 'bias')", "recompile-attribute", "in the constructor", ""},
        {"0/0: what(x)", "recompile-other", "Keep what the guard names the same", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct finding *x;

        trace_file(&t);
        recompiled(&t, 0, "f", 1, cases[i].reason, TOOK(100));
        a = answers_of_trace(&t);
        x = answers_finding(a, cases[i].id);
        if (!x)
            fail_msg("%s: %.*s", cases[i].reason, STR_ARG(answers_findings(a)));
        if (!str_has(x->fix, str_of(cases[i].fix)) || !str_eq(x->paste.text, str_of(cases[i].paste)))
            fail_msg("%s: %.*s | %.*s", cases[i].reason, STR_ARG(x->fix), STR_ARG(x->paste.text));
        answers_free(a);
    }
}

/* PyTorch records what the code changes: only the module that has the attribute is the one. */
static void attributes_that_the_code_changes(void **state)
{
    static const struct {
        const char *source, *artifact, *text;
        bool changes;
    } cases[] = {
        {"self.scale", "dynamo_side_effects", "Mutating object of type M (source name: L['self'])", true},
        {"self.a.scale", "dynamo_side_effects", "Mutating object of type A (source name: L['self'].a)", true},
        {"self.scale", "dynamo_side_effects", "x\nMutating object of type M (source name: L['self'])\ny", true},
        {"self.scale", "dynamo_side_effects", "Mutating object of type M (source name: L['self'].a)", false},
        {"self.a.scale", "dynamo_side_effects", "Mutating object of type M (source name: L['self'])", false},
        {"self.scale", "dynamo_side_effects", "Mutating object of type list (source name: G['seen'])", false},
        {"self.scale", "dynamo_side_effects", "", false},
        {"self.scale", "dynamo_output_graph", "Mutating object of type M (source name: L['self'])", false},
        {"scale", "dynamo_side_effects", "Mutating object of type M (source name: )", false},
        {"scale", "dynamo_side_effects", "Mutating object of type M (source name: L['scale'])", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct finding *x;
        char reason[100];

        snprintf(reason, sizeof reason, "0/0: %s == 3.5  # a  # b.py:1 in f (HINT: attributes of the nn.Module)",
                 cases[i].source);
        trace_file(&t);
        recompiled(&t, 0, "f", 1, reason, TOOK(100));
        trace_artifact(&t, cases[i].artifact, trace_ids(0, 1, 0), cases[i].text);
        a = answers_of_trace(&t);
        x = answers_finding(a, "recompile-module-attribute");
        if (!x || str_has(x->fix, STR("changes this attribute itself")) != cases[i].changes)
            fail_msg("case %zu: %.*s", i, STR_ARG(x ? x->fix : answers_findings(a)));
        answers_free(a);
    }
}

/* A string is an option, a text that the code computes with, or the name of one object among many. */
static void kinds_of_strings(void **state)
{
    static const char *const fixes[] = {"A flag, string or other constant", "Make a tensor of numbers from it",
                                        "names one object", "Of texts, which differ in each call"};
    enum { OPTION, TEXT, NAME, MAYBE_TEXT };
    static const struct {
        int n;
        const char *name, *value, *line;
        int kind;
    } cases[] = {
        /* it is taken apart, and has words */
        {1, "text", "the cat", "words = text.split()", TEXT},
        {1, "text", "cats", "words = text.split()", OPTION},
        {1, "text", "the cat", "y = heads[word.lower()]", OPTION},
        {1, "text", "the cat", "y = f(x)[word.lower()]", OPTION},
        {1, "text", "the cat", "y = [word.lower()]", TEXT},
        {1, "text", "the cat", "for c in text:", TEXT},
        {1, "text", "the cat", "y = sum(one(c) for c in text)", TEXT},
        {1, "text", "the cat", "for head in heads[0]:", OPTION},
        {1, "text", "the cat", "for head in self.heads:", OPTION},
        {1, "text", "the cat", "for i in range(n):", OPTION},
        {1, "text", "the cat", "if 'c' in text:", OPTION},
        {1, "text", "the cat", "y = sell(text)", OPTION},
        /* numbers are made of it, again and again */
        {3, "text", "cats", "y = [ord(c) for c in x]", TEXT},
        {2, "text", "cats", "y = [ord(c) for c in x]", OPTION},
        {3, "text", "cats", "ord(text[0])", TEXT},
        {3, "text", "cats", "y = text.encode()", TEXT},
        {3, "text", "cats", "y = tokenizer(text)", TEXT},
        {3, "text", "cats", "y = char_tokenizer(text)", TEXT},
        {3, "text", "cats", "y = chartokenizer(text)", OPTION},
        {3, "text", "cats", "y = record(text)", OPTION},
        {3, "text", "cats", "y = sell(text)", OPTION},
        /* many texts of words, which nothing compares or looks up */
        {3, "text", "the cat", "y = sell(text)", MAYBE_TEXT},
        {2, "text", "the cat", "y = sell(text)", OPTION},
        {3, "text", "the cat", "if text == 'the dog':", OPTION},
        {3, "text", "the cat", "if text != 'the dog':", OPTION},
        {3, "text", "the cat", "y = heads[text]", OPTION},
        {3, "text", "the cat", "y = heads.get(text)", OPTION},
        /* a path, or the number of one object in what is called a name */
        {1, "mode", "blocks.6.weight", "y = load(mode)", NAME},
        {1, "mode", "/models/cats", "y = load(mode)", NAME},
        {1, "mode", "C:\\\\models\\\\cats", "y = load(mode)", NAME},
        {1, "mode", "blocks.6", "y = load(mode)", OPTION},
        {1, "mode", "the.red.cat sat", "y = load(mode)", OPTION},
        {1, "layer_name", "layer_12", "y = load(layer_name)", NAME},
        {1, "layer_name", "layer_x", "y = load(layer_name)", OPTION},
        {1, "mode", "layer_12", "y = load(mode)", OPTION},
        {1, "key", "7", "y = load(key)", NAME},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct finding *x;
        char reason[300];

        snprintf(reason, sizeof reason, "0/0: L['%s'] == '%s'  # %s  # x.py:7 in f", cases[i].name, cases[i].value,
                 cases[i].line);
        trace_file(&t);
        recompiled(&t, 0, "f", cases[i].n, reason, TOOK(100));
        a = answers_of_trace(&t);
        x = answers_finding(a, "recompile-constant");
        if (!x || !str_has(x->fix, str_of(fixes[cases[i].kind])))
            fail_msg("%s (%d times): %.*s", reason, cases[i].n, STR_ARG(x ? x->fix : answers_findings(a)));
        answers_free(a);
    }
}


/* What automatic dynamic shapes did about it by themselves is said: the symbol is of that size. */
static void made_dynamic(void **state)
{
    static const struct {
        const char *source;
        bool found;
    } cases[] = {{"L['x'].size()[1]", true}, {"L['x'].size()[0]", false}, {"L['y'].size()[1]", false}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;

        trace_file(&t);
        recompiled(&t, 0, "f", 1, "0/0: tensor 'x' size mismatch at index 1. expected 4, actual 5", TOOK(100));
        trace_recordf(&t, "{\"create_symbol\": {\"symbol\": \"s0\", \"val\": \"4\", \"source\": \"%s\"}, %s}",
                      cases[i].source, IN(0, 1, 0));
        a = answers_of_trace(&t);
        assert_int_equal(str_has(answers_finding(a, "recompile-size")->detail, STR("dynamic in [0/1] by itself")),
                         cases[i].found);
        answers_free(a);
    }
}

/* Code that then runs eagerly without a word is the worst there is. */
static void the_limit(void **state)
{
    static const struct {
        int compiles;
        const char *metrics, *title;
    } cases[] = {
        {8, "\"fail_type\": \"Unsupported\", \"fail_reason\": \"Dynamo recompile limit exceeded\"",
         "`f` hit the recompile limit after 8 compiles and runs eagerly: the Python number `n` was 7 and has changed"},
        {1, "\"fail_type\": \"RecompileLimitExceeded\", \"fail_reason\": \"recompile_limit reached\"",
         "`f` hit the recompile limit after 1 compile and runs eagerly: the Python number `n` was 7 and has changed"},
        {2, "\"fail_type\": \"FailOnRecompileLimitHit\", \"fail_reason\": \"Hard failure due to fullgraph=True\"",
         "`f` hit the recompile limit after 2 compiles and raised an error: the Python number `n` was 7 and has "
         "changed"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct finding *x;

        trace_file(&t);
        trace_start(&t, IN(0, 0, 0), "f", 5);
        trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 2");
        recompiled(&t, 0, "f", cases[i].compiles - 1, "0/0: n == 7", TOOK(100));
        trace_artifact(&t, "recompile_reasons", trace_ids(0, cases[i].compiles, 0), "0/0: n == 7");
        trace_metrics(&t, trace_ids(0, cases[i].compiles, 0), cases[i].metrics);
        a = answers_of_trace(&t);
        assert_str(answers_findings(a), "critical recompile-limit"); /* and nothing else says the same */
        x = answers_finding(a, "recompile-limit");
        assert_str(x->title, cases[i].title);
        assert_int_equal(x->cost_compiles, cases[i].compiles - 1);
        assert_int_equal(x->compiles.n, cases[i].compiles);
        assert_true(x->fix.n > 0);
        answers_free(a);
    }
}

/* The limit that is pasted has the name that this PyTorch used: under another name it would raise an error. */
static void names_of_the_limit(void **state)
{
    static const struct {
        const char *reason, *paste;
    } cases[] = {
        {"recompile_limit reached", "torch._dynamo.config.recompile_limit = 8"},
        {"accumulated_recompile_limit reached", "torch._dynamo.config.accumulated_recompile_limit = 8"},
        {"cache_size_limit reached", "torch._dynamo.config.cache_size_limit = 8"},
        {"accumulated_cache_size_limit reached", "torch._dynamo.config.accumulated_cache_size_limit = 8"},
        {"torch._dynamo hit config.cache_size_limit (8)", "torch._dynamo.config.cache_size_limit = 16"},
        {"torch._dynamo hit config.recompile_limit (64)", "torch._dynamo.config.recompile_limit = 128"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        char metrics[200];

        snprintf(metrics, sizeof metrics, "\"fail_type\": \"RecompileLimitExceeded\", \"fail_reason\": \"%s\"",
                 cases[i].reason);
        trace_file(&t);
        trace_start(&t, IN(0, 0, 0), "f", 5);
        trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 2");
        trace_artifact(&t, "recompile_reasons", trace_ids(0, 1, 0), "0/0: ___check_type_id(L['till'], 7)");
        trace_metrics(&t, IN(0, 1, 0), metrics);
        a = answers_of_trace(&t);
        assert_str(answers_finding(a, "recompile-limit")->paste.text, cases[i].paste);
        answers_free(a);
    }
}

/* How often counts towards the limit, not how long. */
static void causes_of_the_limit(void **state)
{
    static const char *const reasons[] = {"0/0: flag == True", "0/0: n == 7", "0/0: n == 7", "0/0: n == 7"};
    struct trace_text t = {0};
    const struct answers *a;
    const struct finding *x;

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 2");
    for (int i = 1; i <= (int)COUNT(reasons); i++) {
        trace_artifact(&t, "recompile_reasons", trace_ids(0, i, 0), reasons[i - 1]);
        trace_start(&t, trace_ids(0, i, 0), "f", 5);
        trace_metrics(&t, trace_ids(0, i, 0),
                      i == 1 ? "\"start_time_us\": 1, \"duration_us\": " TOOK(900)
                             : "\"start_time_us\": 1, \"duration_us\": " TOOK(100));
    }
    trace_artifact(&t, "recompile_reasons", trace_ids(0, 5, 0), "0/0: n == 7");
    trace_metrics(&t, trace_ids(0, 5, 0),
                  "\"fail_type\": \"Unsupported\", \"fail_reason\": \"Dynamo recompile limit exceeded\"");
    a = answers_of_trace(&t);
    x = answers_finding(a, "recompile-limit");
    assert_str(x->title, "`f` hit the recompile limit after 5 compiles and runs eagerly: 2 causes");
    assert_true(str_starts(x->fix, STR("4\xc3\x97 the Python number `n`")));
    assert_true(str_has(x->fix, STR("\n1\xc3\x97 `flag`")));
    answers_free(a);
}

/* Each of the most frequent causes has a line; the others are counted. */
static void many_causes_of_the_limit(void **state)
{
    static const struct {
        int causes;
        const char *rest;
    } cases[] = {{8, ""}, {9, "And 1 more cause."}, {11, "And 3 more causes."}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        struct str fix, line, rest = STR("");
        int lines = 0;

        trace_file(&t);
        trace_start(&t, IN(0, 0, 0), "f", 5);
        trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 2");
        for (int k = 1; k <= cases[i].causes; k++) {
            char reason[40];

            snprintf(reason, sizeof reason, "0/0: flag_%d == True", k);
            trace_artifact(&t, "recompile_reasons", trace_ids(0, k, 0), reason);
            trace_start(&t, trace_ids(0, k, 0), "f", 5);
            trace_metrics(&t, trace_ids(0, k, 0), "\"graph_op_count\": 2");
        }
        trace_metrics(&t, trace_ids(0, cases[i].causes + 1, 0),
                      "\"fail_type\": \"Unsupported\", \"fail_reason\": \"Dynamo recompile limit exceeded\"");
        a = answers_of_trace(&t);
        fix = answers_finding(a, "recompile-limit")->fix;
        while (str_next_line(&fix, &line)) {
            lines += str_starts(line, STR("1\xc3\x97 `flag_"));
            rest = str_starts(line, STR("And ")) ? line : rest;
        }
        assert_str(rest, cases[i].rest);
        assert_int_equal(lines, 8);
        answers_free(a);
    }
}

/* --- errors ------------------------------------------------------------------------------------------------------- */

/* One exception in one line is one finding, however many compiles ran into it. */
static void errors(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    const struct finding *x;

    (void)state;
    trace_error(&t, IN(0, 0, 0), "torch._dynamo.exc.BackendCompilerFailed", "backend='x' raised:\nE: y", 7);
    trace_error(&t, IN(1, 0, 0), "torch._dynamo.exc.BackendCompilerFailed", "backend='x' raised:\nE: y", 7);
    trace_error(&t, IN(2, 0, 0), "torch._dynamo.exc.BackendCompilerFailed", "backend='x' raised:\nE: y", 8);
    trace_error(&t, IN(3, 0, 0), "torch._dynamo.exc.Unsupported", "print\n  Explanation: so", 7);
    a = answers_of_trace(&t);
    assert_str(answers_findings(a), "critical error, critical error-2, high error-3");
    x = answers_finding(a, "error");
    assert_str(x->title, "Backend failure: `BackendCompilerFailed`: backend='x' raised: E: y (2 times)");
    assert_str(x->detail, "Failed in the backend.");
    assert_int_equal(x->compiles.n, 2);
    assert_str(x->file, "/x.py");
    assert_int_equal(x->line, 7);
    assert_str(x->fix,
               "The backend `x` raised it: fix it there. `backend=\"eager\"` shows that the graph itself is fine.");
    assert_int_equal(answers_finding(a, "error-2")->line, 8);
    assert_str(answers_finding(a, "error-3")->title, "`fullgraph=True` failed: `print(…)`");
    answers_free(a);
}

/* Nothing shows what the code after a forbidden break does with a value of the data: a setting may not help. */
static void a_forbidden_break_of_data(void **state)
{
    static const struct {
        const char *message, *paste;
        enum paste_kind kind;
    } cases[] = {
        {"Dynamic shape operator\n  Explanation: so\n  Developer debug context: aten.nonzero.default",
         "torch._dynamo.config.capture_dynamic_output_shape_ops = True", PASTE_PATTERN},
        {"Unsupported Tensor.item() call with capture_scalar_outputs=False\n  Explanation: so",
         "torch._dynamo.config.capture_scalar_outputs = True", PASTE_PATTERN},
        {"logging.Logger method not supported for non-export cases\n  Explanation: so\n"
         "  Developer debug context: method: <Logger x (INFO)>.info, args: [], kwargs: {}",
         "import logging\ntorch._dynamo.config.ignore_logging_functions.add(logging.Logger.info)", PASTE_SETTING},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct finding *x;

        trace_error(&t, IN(0, 0, 0), "torch._dynamo.exc.Unsupported", cases[i].message, 7);
        trace_metrics(&t, IN(0, 0, 0),
                      "\"pytorch_version\": \"2.13.0\", \"fail_type\": \"Unsupported\", \"fail_reason\": "
                      "\"x\\n  Explanation: so\"");
        a = answers_of_trace(&t);
        x = answers_finding(a, "error");
        assert_str(x->paste.text, cases[i].paste);
        assert_int_equal(x->paste.kind, cases[i].kind);
        answers_free(a);
    }
}

#define PRINT                                                                                                          \
    "Failed to trace builtin operator\n  Explanation: so\n"                                                            \
    "  Developer debug context: builtin print [<class 'x.TensorVariable'>] False"

/* Before 2.8 a delayed print fails in a function that the compiled one calls. */
static void a_forbidden_print(void **state)
{
    static const struct {
        const char *version, *above, *message, *paste;
        enum paste_kind kind;
    } cases[] = {
        {"2.7.0", "", PRINT,
         "torch._dynamo.config.reorderable_logging_functions.add(print)", PASTE_SETTING},
        {"2.7.0", "   File \"/x.py\", line 5, in f\n    g(x)\n", PRINT,
         "if not torch.compiler.is_compiling():\n    print(...)", PASTE_PATTERN},
        {"2.8.0", "   File \"/x.py\", line 5, in f\n    g(x)\n", PRINT,
         "torch._dynamo.config.reorderable_logging_functions.add(print)", PASTE_SETTING},
        {"2.7.0", "   File \"/x.py\", line 5, in f\n    g(x)\n",
         "Attempted to call function marked as skipped\n  Explanation: so\n"
         "  Developer debug context: module: _warnings, qualname: warn, skip reason: x",
         "if not torch.compiler.is_compiling():\n    warnings.warn(...)", PASTE_PATTERN},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;
        const struct finding *x;
        char text[900], metrics[100];

        snprintf(text, sizeof text,
                 "Traceback (most recent call last):\n  File \"/venv/lib/python3.11/site-packages/torch/_dynamo/"
                 "convert_frame.py\", line 1, in _compile\n    x()\ntorch._dynamo.exc.Unsupported: %s\n\n"
                 "from user code:\n%s   File \"/x.py\", line 7, in g\n    %s\n",
                 cases[i].message, cases[i].above, strstr(cases[i].message, "print") ? "print(x)" : "warn(\"sold\")");
        trace_artifact(&t, "dynamo_error", IN(0, 0, 0), text);
        snprintf(metrics, sizeof metrics, "\"pytorch_version\": \"%s\", \"fail_type\": \"Unsupported\"",
                 cases[i].version);
        trace_metrics(&t, IN(0, 0, 0), metrics);
        a = answers_of_trace(&t);
        x = answers_finding(a, "error");
        if (!x)
            fail_msg("case %zu: %.*s", i, STR_ARG(answers_findings(a)));
        assert_str(x->paste.text, cases[i].paste);
        assert_int_equal(x->paste.kind, cases[i].kind);
        answers_free(a);
    }
}

/* It was not reported, and must have no effect. */
static void a_silent_error(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    trace_artifact(&t, "eager_compile_backwards_failure", IN(0, 0, 0),
                   "Traceback (most recent call last):\n  File \"/x.py\", line 3, in f\n    g()\nRuntimeError: no\n");
    a = answers_of_trace(&t);
    assert_str(answers_findings(a), "medium error");
    assert_str(answers_finding(a, "error")->detail, "The backward graph failed in AOTAutograd.");
    answers_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_harm_of_recompiles), cmocka_unit_test(causes), cmocka_unit_test(a_module_for_each_line),
        cmocka_unit_test(kinds_of_recompiles),
        cmocka_unit_test(made_dynamic),           cmocka_unit_test(the_limit), cmocka_unit_test(names_of_the_limit),
        cmocka_unit_test(causes_of_the_limit),    cmocka_unit_test(errors),    cmocka_unit_test(a_silent_error),
        cmocka_unit_test(many_causes_of_the_limit), cmocka_unit_test(a_forbidden_break_of_data),
        cmocka_unit_test(a_forbidden_print), cmocka_unit_test(kinds_of_strings),
        cmocka_unit_test(attributes_that_the_code_changes),
    };

    return RUN(tests);
}
