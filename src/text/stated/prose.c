#include "text/stated/prose.h"

#include "input/logger.h"

enum { SENTENCE_MAX = 400, TRIAL_MAX = 260 }; /* half of a sentence says something else */

/* Whole words: no "networks", no "is faster". */
static const char works[] =
    "works\nwork fine\nwork well\nruns fine\nis fine\nfine in\nfine with\nran fine\nno error\nno errors\nno problem\n"
    "no problems\nno issue\nno issues\nsucceed\nsucceeds\nsucceeded\nsuccess\nsuccessful\nsuccessfully\n"
    "normal result\nnormal results\npasses\nis correct\nare correct\nas expected\nresolve\nresolves\nresolved\n"
    "it runs\nit trains\nit writes\nit saves\nit renders\nit generates\nit converges\nit finishes\nit exits\n"
    "it ends\nit starts\nall is well\ntrains\ncell runs\nscript runs\nprogram runs\ncode runs\nmodel runs\n"
    "loop runs\njob runs";
static const char uncompiled[] =
    "eager\nwithout torch.compile\nwithout `torch.compile\nwithout compil\nwithout the compil\nwithout ``--compile\n"
    "without `--compile\nwithout --compile\nuncompiled\nturn off torch.compile\nthe decorator out\n"
    "decorator off\nout the decorator\nremove torch.compile\nremoving torch.compile\ncompile=false\n"
    "without `--torch_compile\nwithout --torch_compile\nwithout torch_compile\nwithout `torch_compile\n"
    "without the torch_compile\nno torch.compile\nnot compiled\nnon-compiled\nwithout the torch.compile\n"
    "without the `torch.compile\n"
    "compile_disable\ndynamo_disable\ntorchdynamo_disable";
/* vLLM's engine without its compiler. */
static const char of_engine[] = "mode=none\nmode none\nmode: none\ncompilationmode.none\nmode=0\nenforce_eager\n"
                                "enforce-eager";
static const char denies[] = "n't\n not \nnot work\nneither\n nor \nfail\nalso \ntoo.\nraises\ncrash\nfallback\n"
                             "fall back\nfalls back\nhow to\n?";
static const char only[] = "only fails\nonly happens\nonly occurs\nonly crashes\nonly when\nonly with\nonly under\n"
                           "fails only\nhappens only\noccurs only";

/* A sentence complains where it has one of `any`, and one of `of` if there are some, and none of `denies`. */
static const struct {
    const char *any, *of, *denies;
} complaints[COMPLAINTS] = {
    [COMPLAINT_WRONG] = {"incorrect result\nwrong result\nwrong output\nincorrect output\nincorrect value\n"
                         "wrong value\nwrong number\nsilently wrong\nsilently incorrect\nsilently return\n"
                         "different results\nresults differ\noutputs differ\ndifferent output\noutput differs\n"
                         "different random\nrandom numbers differ\ndifferent value\nreturns nan\nnan vs\nvs nan\n"
                         "vs. nan\ngoes nan\nbecomes nan\nbecome nan\nturns nan\nturns to nan\n"
                         "nan loss\nloss is nan\nnan instead\ninf instead\ninstead of nan\ninstead of inf\n"
                         "compiled mismatch\noutputs do not match\nresults do not match\noutputs don't match\n"
                         "results don't match\ndoes not match eager\ndoesn't match eager\nnot match the eager\n"
                         "n't match the eager\nnot identical\ndiverge from eager\ndiverges from eager\nwrong sum\n"
                         "wrong prediction\nwrong gradient\nwrong answer\ndifferent answer\nallclose fails\n"
                         "assert_close fails\nthe same value every\nthe same result every\nold value\n"
                         "old weights\nstale value\nstale weight\nstale result\nvalues of the last\n"
                         "checkpoint has no effect\nseed has no effect\nnot reproducible\n"
                         "n't reproducible\nnon-deterministic\nnondeterministic\n"
                         /* of what is added to a model */
                         "silently ignored\nlora is ignored\nlora has no effect\nlora does nothing\n"
                         "adapter is ignored\nadapter has no effect\nhook is ignored\nhooks are ignored\n"
                         "hook is not called\nhooks are not called\nhooks do not run\nhook does not run\n"
                         /* of images, sound and texts */
                         "black render\nblack image\nblack screen\nblack video\nblack output\nblack frame\n"
                         "black picture\nall black\ncompletely black\nfully black\nimage is black\n"
                         "images are black\nvideo is black\noutput is black\nrender is black\n"
                         "pure noise\nonly noise\njust noise\nnoisy image\nnoisy output\nnoise instead\n"
                         "static noise\ngarbage\ngibberish\nnonsense\nscrambled\ngarbled\ncorrupted output\n"
                         "corrupted image\ncorrupt image\nonly silence\njust silence\nsilent audio\n"
                         "audio is silent\nsame token over and over\nrepeats the same token\n"
                         /* of training */
                         "gradients are zero\ngradients are exactly zero\ngradients are all zero\n"
                         "gradient is zero\ngradient is exactly zero\ngradients become zero\nzero gradient\n"
                         "all-zero gradient\ngrads are zero\ngrads are all zero\ngrad is zero\n"
                         "gradients are exactly 0\ngradients are 0\ngradient is 0\n"
                         "loss goes down slower\nloss goes down more slowly\nloss decreases slower\n"
                         "loss decreases more slowly\nloss falls slower\nloss falls more slowly\n"
                         "converges slower\nconverges more slowly\nslower convergence\nworse convergence\n"
                         "does not converge\ndoesn't converge\nloss diverges\nloss explodes\n"
                         "loss does not decrease\nloss doesn't decrease\nloss does not go down\n"
                         "loss doesn't go down\nmodel does not learn\nmodel doesn't learn",
                         NULL, "not wrong\nn't wrong\nnot incorrect\nnot silently\nno wrong\nno incorrect\nno longer\n"
                               "garbage collect\nno garbage\nno noise\nno black\nnot black\nnot garbage\n"
                               "no gibberish\nno zero gradient\nwrong number of\nfor different value\n"
                               "for each different value\nfor every different value\nfor a different value\n"
                               /* as a warning has it */
                               "may lead to\nmight lead to\ncould lead to\nmay produce\nmight produce"},
    [COMPLAINT_HANG] = {" hang \n hangs\n hangs.\n hang.\n hang,\n hanging\n hung\ngets stuck\nis stuck\nstuck at\n"
                        "stuck in\n stalls\n stalled\nwaits forever\nwaiting forever\nnot respond\n"
                        "n't respond\nfreezes\ndeadlock\nnever finish\nnever return\nnever end\nforever\n"
                        "does not finish\ndoesn't finish\nnothing happens\nnever exits\ndoes not exit\ndoesn't exit\n"
                        "never terminates\ndoes not terminate\ndoesn't terminate",
                        NULL, "no longer\nfreezes the \nfreezes weight\nfreezes param\n"
                              "not hang\nn't hang\ndoes not get stuck\nwithout hang\nforever to \n"
                              "take forever\ntakes forever\ntook forever\ntaking forever"},
    [COMPLAINT_MEMORY] = {"grow\nleak\nincreas\nkeeps rising\nkeeps climbing\ngoes up\nmuch more\n gb more\n gib more\n"
                          "twice the\ntwice as much\ndoubles\nas high as\nnot freed\nn't freed\nnot released\n"
                          "never freed\nnever released\nstays allocated\nout of memory at\ntoo much",
                          "memory\n rss\n vram\n ram ", "no longer\nn't \nnot \nno growth\nno leak\nno memory leak\n"
                          "leaky\nmemory_format\nmemory format"},
    /* how long it takes to compile; what compiled code takes is another matter */
    [COMPLAINT_COMPILING] = {"compile time\ncompilation time\ncompile-time\ncompiling time\ntime to compile\n"
                             "compiling takes\n"
                             "compilation takes\ncompile takes\ncompilation took\ncompiling took\nslow to compile\n"
                             "slow compil\ncompilation is slow\ncompiling is slow\ncompile is slow\n"
                             " compiles for 1\n compiles for 2\n compiles for min\n compiles for hour\n"
                             "cold start takes\nstart takes\ncompiles again at\nrecompiles at each\n"
                             "recompiles at every\ncompiles every time\ncompiled again at each",
                             "slow\nlong time\ntoo long\nso long\nvery long\nhow long\ntakes long\ntook long\nlonger\n"
                             "is long\nreally long\nextremely long\nlong compil\ndoubles\ndoubled\ndoubling\n"
                             "minute\n min \nmin.\nhour\nexponentially\nis exponential\nexponential in \n"
                             "exponential compil\nexponential time\nexponential growth\nquadratic\nincreas\n"
                             "forever\ngrow\nwent from\nregress\nis high\nvery high\nis huge\nare huge\n"
                             "huge compil\nexcessive",
                             "at compile time\nat compile-time\nno longer\nn't \nnot slow\nerror\nfail\n?\n"
                             "compile is slower"},
    [COMPLAINT_SLOW] = {"slower\ntoo slow\nvery slow\nso slow\nis slow\nslow down\nslowdown\nslows down\nno speedup\n"
                        "no speed-up\nno speed up\nnot faster\ntakes minutes\ntakes hours\ntakes seconds\n"
                        "takes forever\ntakes too long\ntakes so long\na long time to\ntakes a long time\n"
                        "no difference in speed\nno faster\nn't faster\nnot any faster\nno speed improvement\n"
                        "no speedups\nsame speed\nno gain\nno benefit\nslows my\nslows the\nslows our\n"
                        "slower by\ntimes slower\nx slower\ntakes twice as long\nx longer\nthroughput drops\n"
                        "throughput dropped\nmfu drops\nmfu dropped",
                        NULL, "no longer\nn't slower\nnot slower\nis faster\n"
                              /* the speed of learning */
                              "goes down slower\ndecreases slower\nfalls slower\ndrops slower\nconverges slower\n"
                              "learns slower\nslower convergence"},
};

/*
 * What the writer tried decides more than any advice: "It compiles if I drop max-autotune", "only with two calls at
 * once". One clause must have a word of `conditions`, none of `plans`, and one of `absences`, or one of `cures` and
 * none of `failures`.
 */
static const char cures[] = "works\nworked\nwork fine\nfixes it\nfixed it\nfixes the\nfixes this\nsolves\nsolved\n"
                            "goes away\nwent away\ngone\nno growth\nno error\nno errors\nno problem\nno problems\n"
                            "no issue\nno issues\nis flat\nstays "
                            "flat\nruns fine\nran fine\nis fine\npasses\nsucceeds\nstarts fine\nends at once\nis "
                            "fast\nare fine\nwas normal\nis normal\neverything is right\nit go away\nfine with\n"
                            "fine on\nis nice\nlooks fine\nlooks right\nexits normally\n"
                            "ends normally\nruns normally\nworks normally\nexits fine\n"
                            "trains fine\ntrained fine\nwas fine\nit trains\n"
                            "runs for days\nruns for hours\nran for days\nran for hours";
static const char absences[] = "not happen\nn't happen\nnot occur\nn't occur\nnot crash\nn't crash\nnot fail\n"
                               "n't fail\nnot show up\nn't show up\nnot appear\nn't appear\nnot hang\nn't hang\n"
                               "not affected";
static const char conditions[] =
    "with \nwithout \n if \nif i\nif you\nwhen \nafter \nonce i\ndrop \ndrops \ndropp\ndisab\nremov\nturn off\n"
    "turning off\nturned "
    "off\nswitching\nsetting \n set \ndowngrad\nupgrad\nrevert\nroll back\nrolling back\nrolled back\nusing \n on "
    "2.\n in 2.\ntorch 2.\ntorch==2.\nversion\n one after\none at a time\nsequential\nempty \ndelet\nclear\nfirst \n"
    "makes it \nmade it \n in a \nbefore the ";
static const char plans[] = "don't like\nhave to \nneed to \nto test\nwill \ncould \nmight \nif you see\n"
                            "as if \nshould\nsupposed\nwould\nto make\nexpect\nhope\nwant\n how \n?\ngenerally";
static const char failures[] = "n't\n not \nfail\nraises\ncrash";
/* Of one run: nothing was changed between its first call and its second one. */
static const char calls[] = "warm-up\nwarmup\nwarm up\nfirst call\nfirst batch\nfirst iteration\nfirst step\n"
                            "first epoch\nfirst run\nfirst request\nsecond call\nsecond batch\nlater passes";

/* Whether the name stands in it, and is no part of a longer one: "aot_eager", not "eager"; not "torch._inductor". */
static bool has_name(struct str s, struct str name)
{
    for (ptrdiff_t at; (at = str_find(s, name)) >= 0; s = str_skip(s, (size_t)at + name.n)) {
        struct str before = str_take(s, (size_t)at), behind = str_skip(s, (size_t)at + name.n);
        bool begins = !before.n || !(str_is_word_char(before.p[before.n - 1]) || before.p[before.n - 1] == '.');
        bool ends = !behind.n || !(str_is_word_char(behind.p[0]) ||
                                   (behind.p[0] == '.' && behind.n > 1 && str_is_word_char(behind.p[1])));

        if (begins && ends)
            return true;
    }
    return false;
}

bool prose_has_word(struct str s, struct str words)
{
    struct str word;

    while (str_next_line(&words, &word))
        if (has_name(s, word))
            return true;
    return false;
}

/* "Compile off -> trains too", "compile=False ok": telegrams, whose verdict stands directly behind the setting. */
static bool says_off_works(struct str s)
{
    static const char settings[] = "compile off\ncompile=off\ncompile: off\ncompile is off\ncompile turned off\n"
                                   "compile disabled\ncompile is disabled\ncompile=false\ncompile = false\n"
                                   "compile: false\ncompile=0\ncompilation off\ncompilation disabled";
    static const struct str verdicts[] = {STR_INIT("ok"),   STR_INIT("okay"), STR_INIT("works"),   STR_INIT("trains"),
                                          STR_INIT("runs"), STR_INIT("fine"), STR_INIT("passes"),  STR_INIT("is ok"),
                                          STR_INIT("good"), STR_INIT("is fine"), STR_INIT("correct")};
    struct str words = str_of(settings), setting;

    if (str_has_any_line(s, str_of(denies)))
        return false;
    while (str_next_line(&words, &setting))
        for (ptrdiff_t at, from = 0; (at = str_find(str_skip(s, (size_t)from), setting)) >= 0;) {
            struct str behind;

            from += at + (ptrdiff_t)setting.n;
            behind = str_skip_any(str_skip(s, (size_t)from), " `*\"'-=>:,|");
            str_consume(&behind, STR("\xe2\x86\x92 "));
            for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
                if (str_starts(behind, verdicts[i]) &&
                    (behind.n == verdicts[i].n || !str_is_word_char(behind.p[verdicts[i].n])))
                    return true;
        }
    return false;
}

enum { SEARCHED_MAX = 400 };

bool prose_has_line(struct str text, const char *words)
{
    char room[SEARCHED_MAX];
    struct str line;

    while (str_next_line(&text, &line))
        if (str_has_any_line(str_lower(str_take(line, SEARCHED_MAX), room, sizeof room), str_of(words)))
            return true;
    return false;
}

bool prose_has_sentence(struct str text, const char *any, const char *result, const char *denied)
{
    char room[SEARCHED_MAX];
    struct str line;

    while (str_next_line(&text, &line))
        while (line.n) {
            struct str s = str_lower(str_next_sentence(&line), room, sizeof room);

            if (str_has_any_line(s, str_of(any)) && (!result || str_has_any_line(s, str_of(result))) &&
                !str_has_any_line(s, str_of(denied)))
                return true;
        }
    return false;
}

/* "It is fine in eager and fails compiled": what is said of the other does not matter. */
static bool says_eager_directly(struct str s)
{
    static const char said[] = "fine in eager\nworks in eager\nwork in eager\ncorrect in eager\nright in eager\n"
                               "ok in eager\nfine without torch.compile\nfine without `torch.compile\n"
                               "fine without compil\nworks without torch.compile\nworks without `torch.compile\n"
                               "works without compil\nfine uncompiled\nworks uncompiled\nfine eagerly\n"
                               "works eagerly\nuncompiled works\nuncompiled is fine\neager works\neager is fine";
    static const char not_so[] = "not fine\nn't work\nnot work\nneither\nnot correct\nnot right\nn't fine\n?\n"
                                 "nothing works\nnone works\nif \n"
                                 "should\nwould\nhope\nexpect\nuntil";

    return str_has_any_line(s, str_of(said)) && !str_has_any_line(s, str_of(not_so));
}

/* "It works fine in eager.", "This only happens with torch.compile". */
static bool says_eager_works(struct str s)
{
    if (says_off_works(s))
        return true;
    if (str_has(s, STR("compiled autograd")) || str_has(s, STR("compiled_autograd"))) /* another part */
        return false;
    if (says_eager_directly(s))
        return true;
    if (str_has_any_line(s, str_of(only)) && str_has(s, STR("compile")) && !str_has_any_line(s, STR(" not \nn't")))
        return true;
    if (!prose_has_word(s, str_of(works)) || str_has_any_line(s, str_of(denies)))
        return false;
    if (str_has_any_line(s, STR("out of memory\noom")))
        return false;
    return str_has_any_line(s, str_of(uncompiled)) || str_has_any_line(s, str_of(of_engine)) ||
           (str_has(s, STR("disabl")) && str_has(s, STR("compile")));
}

/* "In fp32 the same script passes." */
static bool says_float32_works(struct str s)
{
    return str_has_any_line(s, STR("fp32\nfloat32")) && prose_has_word(s, str_of(works)) &&
           !str_has_any_line(s, str_of(denies));
}

/* Takes what stands before the next of the words that part clauses. */
static struct str next_clause(struct str *s)
{
    static const struct str ends[] = {STR_INIT(" but "), STR_INIT(", and "), STR_INIT("; "), STR_INIT(" ("),
                                      STR_INIT(", without ")};
    struct str clause = *s;

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        ptrdiff_t at = str_find(clause, ends[i]);

        clause = at > 0 ? str_take(clause, (size_t)at) : clause;
    }
    *s = str_skip(*s, clause.n + (clause.n < s->n));
    return clause;
}

static bool names_cure(struct str clause)
{
    if (!str_has_any_line(clause, str_of(conditions)) || str_has_any_line(clause, str_of(plans)))
        return false;
    return str_has_any_line(clause, str_of(absences)) ||
           (prose_has_word(clause, str_of(cures)) && !str_has_any_line(clause, str_of(failures)));
}

bool prose_says_cured(struct str part)
{
    char buf[SENTENCE_MAX];

    return names_cure(str_lower(part, buf, sizeof buf));
}

/* "tensor parallel, only when I compile.": nothing follows that would say more. */
static bool ends_with_compiling(struct str s)
{
    static const struct str ends[] = {STR_INIT("only when i compile"), STR_INIT("only when compiled"),
                                      STR_INIT("only when compiling"), STR_INIT("only with torch.compile"),
                                      STR_INIT("only if i compile"),   STR_INIT("only if compiled")};

    s = str_drop_any(s, ".`! )");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (str_ends(s, ends[i]))
            return true;
    return false;
}

/* That it works without the compiler is a fact of its own, which a maintainer knows already. */
static bool is_of_eager(struct str s)
{
    return str_has_any_line(s, STR("eager\nplain pytorch\nplain torch\nwithout compile\nswitch on compile\n"
                                   "switch compile on\nturn on compile\nenable compile\ncompile node")) ||
           str_has_any_line(s, str_of(uncompiled));
}

/* "Importing tills before makes it fail, though nothing of it is used." */
static bool is_of_import(struct str s)
{
    return prose_has_word(s, STR("importing\nimport of\nthe import\nmerely imported\nonly imported")) &&
           str_has_any_line(s, STR("makes \nbreaks\ntriggers\ncauses\nenough to")) &&
           !str_has_any_line(s, STR("?\nn't\n not \nwhen importing\nwhile importing\nimporterror\nimporting torch\n"
                                    "error importing"));
}

/* Something else than the compiler was changed, and then it worked; or it is only so with that. */
static bool is_trial(struct str s)
{
    struct str rest = s;
    bool cure = names_cure(s) && !is_of_eager(s) && !str_has(s, STR(" but "));

    if (str_has_any_line(s, STR("eager\nplain pytorch\nplain torch\nas if ")) || ends_with_compiling(s) ||
        str_has_any_line(s, str_of(calls)))
        return false;
    if (is_of_import(s))
        return true;
    if (str_has_any_line(s, str_of(only)) && !str_has_any_line(s, STR(" not \nn't\n?")))
        return !is_of_eager(s);
    while (!cure && rest.n) {
        struct str clause = next_clause(&rest);

        cure = names_cure(clause) && !is_of_eager(clause);
    }
    return cure;
}

/* "It works with mode=...": what can be set says more than another machine, or fewer of them. */
static bool names_option(struct str s)
{
    return str_has_any_line(s, STR("dynamic=\nmode=\nbackend=\nfullgraph=\noptions=\ntorch._\n--"));
}

/* "When I make two concurrent calls": the writer's own words, which a log has, too. */
static bool says_concurrent(struct str s)
{
    return str_has_any_line(s, STR("concurrent\nsimultaneous\nparallel request\nparallel call\nrequests in parallel\n"
                                   "calls in parallel\ntwo threads\nseveral threads\nmultiple threads\n"
                                   "multithread\nmulti-thread\nat the same time")) &&
           !str_has_any_line(s, STR(" no \nwithout concurren\nnot concurren"));
}

/* "One after the other everything is normal." */
static bool says_sequential_works(struct str s)
{
    return prose_has_word(s, STR("one after the other\none after another\none by one\none at a time\nsequential\n"
                              "sequentially\n"
                                   "serially\nsingle request\nsingle thread\nsingle-thread\nonly one thread")) &&
           (prose_has_word(s, str_of(works)) || prose_has_word(s, STR("normal\nfine\ncorrect"))) &&
           !str_has_any_line(s, str_of(denies));
}

/* "All ranks I looked at are in the same place." */
static bool says_one_place(struct str s)
{
    return str_has(s, STR("ranks")) && str_has_any_line(s, STR("same place\nsame line\nsame stack\nsame point\n"
                                                              "same spot\nsame call\nidentical stack")) &&
           !str_has_any_line(s, STR(" not \nn't\n?"));
}

/* "It takes an hour to compile", and not "I want to compile it, but it is slower". */
static bool says_to_compile(struct str s)
{
    return str_has(s, STR("to compile")) && !str_has(s, STR("slower"));
}

static bool complains(struct str s, enum complaint of)
{
    return (str_has_any_line(s, str_of(complaints[of].any)) || (of == COMPLAINT_COMPILING && says_to_compile(s))) &&
           (!complaints[of].of || str_has_any_line(s, str_of(complaints[of].of))) &&
           !str_has_any_line(s, str_of(complaints[of].denies));
}

/* Code, paths and a logger's lines are no prose. */
static bool is_prose(struct str line)
{
    return str_chr(line, ' ') > 0 && !str_has(line, STR("File \"")) && !str_has(line, STR(".py:")) &&
           !str_has(line, STR("_eager\"")) && !str_starts(line, STR("#"));
}

/* Sentences of a writer have words between their signs; "step: 0512 | memory increased: 1530.0 MB" is a program's. */
static bool is_of_writer(struct str sentence)
{
    enum { WORDS_MIN = 4, BLANKS_FOR_SIGN = 2 };
    size_t words = 0, signs = 0;

    for (size_t i = 0; i < sentence.n; i++) {
        words += sentence.p[i] == ' ';
        signs += strchr("=:|[]{}<>;", sentence.p[i]) != NULL;
    }
    return words >= WORDS_MIN && signs * BLANKS_FOR_SIGN < words;
}

/* "I did run it. It fails.": what a program prints names nobody, and rarely has a second sentence. */
bool prose_is_paragraph(struct str line)
{
    static const struct str own[] = {STR_INIT(" I "), STR_INIT(" my "), STR_INIT(" we "), STR_INIT(" our ")};
    struct str rest = str_trim(line), first = str_next_sentence(&rest), logged = line;
    char level;

    if (!is_prose(str_trim(line)) || !is_of_writer(line) || logger_take(&logged, &level))
        return false;
    rest = str_trim(rest);
    return str_starts(first, STR("I ")) || STR_HAS_ANY(line, own) ||
           (is_of_writer(rest) && rest.p[0] >= 'A' && rest.p[0] <= 'Z');
}

/* "Works on 2.7.1." */
static bool is_of_version(struct str s)
{
    return str_has_any_line(s, STR(" on 2.\n in 2.\n with 2.\ntorch 2.")) && s.n < TRIAL_MAX / 2 &&
           !str_has_any_line(s, STR("=\n|\n:"));
}

/* "It only works in the default mode" of a sentence that goes on with the whole setup. */
static struct str essential_part(struct str sentence)
{
    enum { LONG_SENTENCE = 80 };
    ptrdiff_t at = str_find(sentence, STR(" only ")), end;

    if (sentence.n <= LONG_SENTENCE || at < 0)
        return sentence;
    end = str_find(str_skip(sentence, (size_t)at), STR(", "));
    return end < 0 ? sentence : str_take(sentence, (size_t)at + (size_t)end);
}

static void read_sentence(struct str sentence, struct prose *out)
{
    char buf[SENTENCE_MAX];
    struct str s = str_lower(sentence, buf, sizeof buf);

    out->eager_works |= says_eager_works(s);
    out->float32_works |= says_float32_works(s);
    if (sentence.n < TRIAL_MAX && (is_of_writer(sentence) || is_of_version(s)) && is_trial(s) &&
        (out->trial.n == 0 || (names_option(s) && !out->trial_of_option))) {
        out->trial = essential_part(str_trim(sentence));
        out->trial_of_option = names_option(s);
    }
    out->concurrent |= is_of_writer(sentence) && says_concurrent(s);
    out->sequential_works |= is_of_writer(sentence) && says_sequential_works(s);
    out->one_place |= says_one_place(s);
    for (enum complaint c = COMPLAINT_WRONG; c < COMPLAINTS; c++)
        if (out->complaints[c].n == 0 && is_of_writer(sentence) && complains(s, c))
            out->complaints[c] = str_trim(sentence);
}

/* --- stages ------------------------------------------------------------------------------------------------------- */

static const char denied[] = "no error\nno nan\nno nans\nno problem\nno issue\nno mismatch\nno difference\nno growth\n"
                             "not affected\nunaffected\nnot wrong\nnot differ\nn't differ\nnot fail\nn't fail\n"
                             "not crash\nn't crash\nnot happen\nn't happen\nwithout error";
static const char is_wrong[] = "wrong\nfail\ndifferent result\ndifferent output\ndifferent value\ndifferent number\n"
                               "different loss\nerror\ncrash\nincorrect\nmismatch\ndiverg\nbroken\nnot match\n"
                               "n't match\nnot work\nn't work\nsame problem\nsame issue\ngrows\nmemory leak\n"
                               "disagree";
static const char word_wrong[] = "differ\ndiffers\ndiffered\nnan\nnans\nhang\nhangs\nleak\nleaks\nleaking";
static const char is_right[] = "identical\nmatches\ngoes away\ngives 0\nso do \nso does \nunaffected\nis flat\n"
                               "succeed";
static const char word_right[] = "work\nworks\nworked\nworking\nfine\ncorrect\ncorrectly\npass\npasses\npassed\n"
                                 "same\nmatch\nnormal\nok\nokay\nright\nagree\nagrees\nreturns\nsuccess\nsuccessful";

/* "eager" alone is a mode; a backend is quoted, or named as one. */
static bool names_dynamo(struct str s)
{
    return str_has_any_line(s, STR("\"eager\"\n'eager'\n`eager`\nbackend eager\nbackends eager\nbackend=eager\n"
                                   "eager backend"));
}

enum polarity { POLARITY_NONE, POLARITY_RIGHT, POLARITY_WRONG };

static enum polarity polarity_of(struct str s)
{
    if (str_has_any_line(s, str_of(denied)))
        return POLARITY_RIGHT;
    if (str_has_any_line(s, str_of(is_wrong)) || prose_has_word(s, str_of(word_wrong)))
        return POLARITY_WRONG;
    return str_has_any_line(s, str_of(is_right)) || prose_has_word(s, str_of(word_right)) ? POLARITY_RIGHT
                                                                                          : POLARITY_NONE;
}

static void add_stages(const bool named[BACKENDS_NAMED], enum polarity polarity, struct prose *out)
{
    for (size_t i = 0; i < BACKENDS_NAMED; i++) {
        out->right[i] |= named[i] && polarity == POLARITY_RIGHT;
        out->wrong[i] |= named[i] && polarity == POLARITY_WRONG;
    }
}

static void find_stages(struct str part, bool named[BACKENDS_NAMED])
{
    named[BACKEND_EAGER] |= names_dynamo(part);
    named[BACKEND_AOT_EAGER] |= has_name(part, STR("aot_eager")) || has_name(part, STR("aot_eager_decomp_partition"));
    named[BACKEND_INDUCTOR] |= has_name(part, STR("inductor"));
}

struct str prose_next_part(struct str *s)
{
    static const struct str ends[] = {STR_INIT(", "), STR_INIT("; "), STR_INIT(" but "), STR_INIT(" while ")};
    struct str part = *s;
    size_t end = 1;

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        ptrdiff_t at = str_find(part, ends[i]);

        end = at > 0 ? ends[i].n : end;
        part = at > 0 ? str_take(part, (size_t)at) : part;
    }
    *s = str_skip(*s, part.n < s->n ? part.n + end : part.n);
    return part;
}

/* "eager and aot_eager are right": what is said of one is said of the other; "eager works and inductor fails". */
static enum polarity read_part(struct str part, bool named[BACKENDS_NAMED], struct prose *out)
{
    static const struct str joint = STR_INIT(" and ");
    ptrdiff_t at = str_find(part, joint);
    struct str first = str_take(part, at < 0 ? 0 : (size_t)at),
               second = str_skip(part, at < 0 ? 0 : (size_t)at + joint.n);

    if (at > 0 && polarity_of(first) && polarity_of(second) && polarity_of(first) != polarity_of(second)) {
        find_stages(first, named);
        add_stages(named, polarity_of(first), out);
        memset(named, 0, BACKENDS_NAMED * sizeof *named);
        part = second;
    }
    find_stages(part, named);
    return polarity_of(part);
}

static bool names_any(const bool named[BACKENDS_NAMED])
{
    return named[BACKEND_EAGER] || named[BACKEND_AOT_EAGER] || named[BACKEND_INDUCTOR];
}

/* A part of a sentence that only names backends has what the part before it says, or else what the next one does. */
static void read_stages(struct str sentence, struct prose *out)
{
    bool named[BACKENDS_NAMED] = {false};
    enum polarity before = POLARITY_NONE;
    char buf[SENTENCE_MAX];
    struct str rest = str_lower(sentence, buf, sizeof buf);
    ptrdiff_t conclusion = str_find(rest, STR(", so "));

    rest = conclusion < 0 ? rest : str_take(rest, (size_t)conclusion);
    if (str_has(rest, STR("?")) || str_has(rest, STR("compile(")) || str_has(rest, STR("file \"")) ||
        str_has(rest, STR("then `")) || !str_has_any_line(rest, STR("eager\ninductor")))
        return;
    while (rest.n) {
        struct str part = prose_next_part(&rest);
        enum polarity polarity = read_part(part, named, out);

        polarity = polarity ? polarity : before;
        if (!polarity)
            continue;
        if (!out->complaints[COMPLAINT_WRONG].n && polarity == POLARITY_WRONG && names_any(named) &&
            (prose_has_word(part, STR("differ\ndiffers\ndiffered\nnan\nnans")) ||
             str_has_any_line(part, STR("different result\ndifferent output\ndifferent value\ndifferent number\n"
                                        "different loss\nwrong\nincorrect\nmismatch\ndiverg"))))
            out->complaints[COMPLAINT_WRONG] = str_trim(sentence);
        add_stages(named, polarity, out);
        memset(named, 0, sizeof named);
        before = polarity;
    }
}

/* What is said in both ways says nothing. */
static void drop_contradictions(struct prose *out)
{
    for (size_t i = 0; i < BACKENDS_NAMED; i++)
        if (out->right[i] && out->wrong[i])
            out->right[i] = out->wrong[i] = false;
}

static void read_stages_of(struct str line, struct prose *out)
{
    while (line.n)
        read_stages(str_next_sentence(&line), out);
}

void prose_read(struct str text, struct prose *out)
{
    struct str line;

    *out = (struct prose){0};
    while (str_next_line(&text, &line)) {
        line = str_trim(line);
        if (str_chr(line, ' ') > 0)
            read_stages_of(line, out);
        while (line.n && is_prose(line))
            read_sentence(str_next_sentence(&line), out);
    }
    drop_contradictions(out);
}

/* "Also compile time explodes": what the text is about was said before. */
static bool is_second(struct str sentence)
{
    static const struct str begins[] = {STR_INIT("Also "),         STR_INIT("Also, "),       STR_INIT("also "),
                                        STR_INIT("Besides, "),     STR_INIT("Additionally"), STR_INIT("In addition"),
                                        STR_INIT("On top of that"), STR_INIT("By the way"),   STR_INIT("BTW"),
                                        STR_INIT("Another thing")};

    return STR_STARTS_ANY(str_skip_any(sentence, "-*> "), begins);
}

enum complaint prose_complaint(const struct prose *p)
{
    enum complaint second = COMPLAINT_NONE;

    for (enum complaint c = COMPLAINT_WRONG; c < COMPLAINTS; c++)
        if (p->complaints[c].n && !is_second(p->complaints[c]))
            return c;
        else if (p->complaints[c].n && !second)
            second = c;
    return second;
}
