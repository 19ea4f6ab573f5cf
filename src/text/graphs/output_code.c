#include "text/graphs/output_code.h"

#include "util/map.h"

#include <stdlib.h>

enum { NAME_MAX_BYTES = 512, LISTED_MAX = 2000 };

struct code_parser {
    struct arena *arena;
    struct output_code *out;
    struct map by_name;      /* kernel -> index + 1 */
    struct map sizes;        /* tensor -> struct str: "(8, 16)" */
    VEC(struct str) sources; /* of the last comment, for the next kernel */
    VEC(struct str) nodes;
    bool in_fragment;
    struct str body_end; /* the quotes that end a kernel's text; empty outside of one */
    size_t defined;      /* index + 1 of the kernel whose text is being read */
};

static struct code_kernel *kernel_of(struct code_parser *p, struct str name)
{
    struct code_kernel *k;
    uint64_t *number;

    name = arena_str(p->arena, name);
    number = map_number_at_kept(&p->by_name, name);
    if (*number)
        return &p->out->kernels.v[*number - 1];
    k = vec_add(p->arena, &p->out->kernels);
    k->name = name;
    k->bytes = -1;
    *number = p->out->kernels.n;
    return k;
}

/* Assigns what the last comment said to a kernel. */
static void take_comment(struct code_parser *p, struct code_kernel *k)
{
    if (k->nodes.n == 0)
        for (size_t i = 0; i < p->nodes.n; i++)
            vec_push(p->arena, &k->nodes, p->nodes.v[i]);
    if (k->sources.n == 0)
        for (size_t i = 0; i < p->sources.n; i++)
            vec_push(p->arena, &k->sources, p->sources.v[i]);
    p->nodes.n = p->sources.n = 0;
}

/* --- comments ----------------------------------------------------------------------------------------------------- */

static void read_sources(struct code_parser *p, struct str list)
{
    p->sources.n = p->nodes.n = 0;
    p->in_fragment = false;
    while (list.n && p->sources.n < LISTED_MAX) {
        struct str name = str_trim(str_split(&list, ','));

        if (name.n && name.n < NAME_MAX_BYTES)
            vec_push(p->arena, &p->sources, arena_str(p->arena, name));
    }
}

/* "# %relu : [num_users=1] = call_function[…": the node that a kernel computes; placeholders do not count. */
static void read_fragment(struct code_parser *p, struct str line)
{
    struct str name;

    if (!str_consume(&line, STR("#   %")) || !str_has(line, STR("= call_")) || p->nodes.n >= LISTED_MAX)
        return;
    name = str_split(&line, ' ');
    if (name.n && name.n < NAME_MAX_BYTES)
        vec_push(p->arena, &p->nodes, arena_str(p->arena, name));
}

static void read_comment(struct code_parser *p, struct str line)
{
    struct str found;

    if (str_starts(line, STR("# AOT ID: ")) && str_between(line, STR("['"), STR("']"), &found))
        p->out->aot_id = arena_str(p->arena, found);
    else if (str_between(line, STR(" Source Nodes: ["), STR("]"), &found))
        read_sources(p, found);
    else if (str_starts(line, STR("# Graph fragment:")))
        p->in_fragment = true;
    else if (p->in_fragment)
        read_fragment(p, line);
}

/* --- tensors ------------------------------------------------------------------------------------------------------ */

/* The text in the bracket that begins `text`, including brackets; empty if it does not close. */
static struct str bracketed(struct str text)
{
    int depth = 0;

    for (size_t i = 0; i < text.n; i++) {
        depth += text.p[i] == '(' || text.p[i] == '[';
        depth -= text.p[i] == ')' || text.p[i] == ']';
        if (depth == 0)
            return i ? str_take(text, i + 1) : (struct str){0};
    }
    return (struct str){0};
}

static void note_size(struct code_parser *p, struct str tensor, struct str size)
{
    if (size.n == 0 || size.n > NAME_MAX_BYTES || tensor.n == 0 || tensor.n > NAME_MAX_BYTES)
        return;
    *map_at_copy(&p->sizes, tensor) = ARENA_NEW(p->arena, struct str);
    *(struct str *)map_get(&p->sizes, tensor) = arena_str(p->arena, size);
}

static bool is_tensor_name(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == ' ' || s.p[i] == '(' || s.p[i] == '.' || s.p[i] == '=')
            return false;
    return s.n > 0;
}

/*
 * The size in "assert_size_stride(arg0_1, (16, 10), (10, 1))" or in "(buf3, (s77, 1), …" of reinterpret_tensor; or
 * empty.
 */
static struct str second_argument(struct str call, struct str *first)
{
    *first = str_trim(str_split(&call, ','));
    return bracketed(str_trim(call));
}

/* "buf0 = empty_strided_cpu((8, 16), (16, 1), torch.float32)", and lines that give a tensor another name. */
static void read_tensor(struct code_parser *p, struct str name, struct str value)
{
    struct str first, *known;

    if (!is_tensor_name(name))
        return;
    if (str_starts(value, STR("empty_strided_"))) {
        str_split(&value, '(');
        note_size(p, name, bracketed(value));
    } else if (str_consume(&value, STR("reinterpret_tensor("))) {
        note_size(p, name, second_argument(value, &first));
    } else {
        known = map_get(&p->sizes, str_trim(str_split(&value, ';')));
        if (known)
            note_size(p, name, *known);
    }
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static void add_size(struct code_parser *p, struct code_kernel *k, struct str tensor, struct str size)
{
    if (k->sizes.n < CODE_SIZES_MAX && size.n && size.n < NAME_MAX_BYTES && is_tensor_name(tensor))
        vec_push(p->arena, &k->sizes, arena_printf(p->arena, "%.*s %.*s", STR_ARG(tensor), STR_ARG(size)));
}

static void read_argument(struct code_parser *p, struct code_kernel *k, struct str argument)
{
    struct str tensor, *known;

    str_consume(&argument, STR("out="));
    if (str_consume(&argument, STR("reinterpret_tensor("))) {
        struct str size = second_argument(argument, &tensor);

        add_size(p, k, tensor, size);
        return;
    }
    known = argument.n < NAME_MAX_BYTES ? map_get(&p->sizes, argument) : NULL;
    if (known)
        add_size(p, k, argument, *known);
}

/* Arguments are separated by commas outside brackets; text begins after the opening bracket. */
static bool next_argument(struct str *text, struct str *argument)
{
    int depth = 0;

    for (size_t i = 0; i < text->n; i++) {
        char c = text->p[i];

        depth += c == '(' || c == '[';
        depth -= c == ')' || c == ']';
        if (depth >= 0 && !(c == ',' && depth == 0))
            continue;
        *argument = str_trim(str_take(*text, i));
        *text = depth < 0 ? STR("") : str_skip(*text, i + 1);
        return true;
    }
    return false;
}

static void read_arguments(struct code_parser *p, struct code_kernel *k, struct str text)
{
    struct str argument;

    while (k->sizes.n < CODE_SIZES_MAX && next_argument(&text, &argument))
        read_argument(p, k, argument);
}

/* --- how much a call moves ---------------------------------------------------------------------------------------- */

/* "*fp32" -> 4; 0 if it is not a pointer. */
static int64_t element_bytes(struct str type)
{
    uint64_t bits;

    if (!str_consume(&type, STR("*")))
        return 0;
    while (type.n && (type.p[0] < '0' || type.p[0] > '9'))
        type = str_skip(type, 1);
    return str_take_u64(&type, &bits) && bits <= 128 ? (int64_t)(bits + 7) / 8 : 0;
}

/* The product of "(8, 16)"; -1 if a size is a symbol. */
static int64_t elements_of(struct str size)
{
    int64_t n = 1;

    if (!str_consume(&size, STR("(")) || !str_ends(size, STR(")")))
        return -1;
    for (size = str_drop(size, 1); size.n;) {
        struct str word = str_trim(str_split(&size, ','));
        uint64_t dimension;

        if (word.n == 0)
            continue;
        if (!str_u64(word, &dimension) || dimension > INT64_MAX || __builtin_mul_overflow(n, (int64_t)dimension, &n))
            return -1;
    }
    return n;
}

/* "'in_ptr0': '*fp32'" -> name and type; up to 2.5 there is a number instead of the name. */
static struct str parameter_type(struct str parameter, struct str *name)
{
    *name = str_trim(str_split(&parameter, ':'));
    parameter = str_trim(parameter);
    return str_consume(&parameter, STR("'")) ? str_split(&parameter, '\'') : STR("");
}

/*
 * Assumes that every tensor is read or written once, and a tensor that is changed in place twice, like PyTorch's own
 * figure (kernel_num_gb). Unknown if one of the sizes is unknown.
 */
static int64_t call_bytes(struct code_parser *p, struct str signature, struct str text)
{
    struct str argument, parameter, name, *known;
    int64_t sum = 0;

    while (signature.n && next_argument(&text, &argument)) {
        int64_t each, bytes;

        parameter = str_split(&signature, ',');
        each = element_bytes(parameter_type(parameter, &name));
        known = each && argument.n < NAME_MAX_BYTES ? map_get(&p->sizes, argument) : NULL;
        if (each == 0)
            continue;
        bytes = known ? elements_of(*known) : -1;
        each *= str_starts(name, STR("'in_out_ptr")) ? 2 : 1;
        if (bytes < 0 || __builtin_mul_overflow(bytes, each, &bytes) || __builtin_add_overflow(sum, bytes, &sum))
            return -1;
    }
    return sum > 0 ? sum : -1;
}

static bool is_library_call(struct str callee)
{
    return str_starts(callee, STR("extern_kernels.")) || str_starts(callee, STR("torch.ops.")) ||
           str_starts(callee, STR("aten."));
}

static void read_call(struct code_parser *p, struct str line)
{
    struct str callee;
    struct code_kernel *k;

    if (str_chr(line, '(') < 0)
        return;
    callee = str_split(&line, '(');
    if (str_ends(callee, STR(".run")))
        callee = str_drop(callee, 4);
    if (callee.n == 0 || callee.n > NAME_MAX_BYTES || str_chr(callee, ' ') >= 0 ||
        (!map_get(&p->by_name, callee) && !is_library_call(callee)))
        return;
    k = kernel_of(p, callee);
    take_comment(p, k);
    if (k->calls++ == 0) {
        read_arguments(p, k, line);
        if (k->bytes < 0)
            k->bytes = call_bytes(p, k->signature, line);
    }
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* "cpp_fused_0 = async_compile.cpp_pybinding([…], r'''": `value` begins after the dot. */
static void read_definition(struct code_parser *p, struct str name, struct str value)
{
    struct code_kernel *k = kernel_of(p, name);
    ptrdiff_t quotes;

    k->kind = arena_str(p->arena, str_take(str_split(&value, '('), NAME_MAX_BYTES));
    take_comment(p, k);
    p->defined = (size_t)(k - p->out->kernels.v) + 1;
    quotes = str_find(value, STR("'''"));
    if (quotes >= 0 && !str_has(str_skip(value, (size_t)quotes + 3), STR("'''")))
        p->body_end = STR("'''");
}

/* "triton_meta={'signature': {…}, …}" and, if PyTorch was asked to add it, "inductor_meta={… 'kernel_num_gb': 0.5}". */
static void read_meta(struct code_parser *p, struct code_kernel *k, struct str line)
{
    struct str found;
    ptrdiff_t at = str_find(line, STR("'kernel_num_gb': "));

    if (k->signature.n == 0 && str_between(line, STR("'signature': {"), STR("}"), &found))
        k->signature = arena_str(p->arena, found);
    if (at >= 0) {
        struct str text = str_take(str_skip(line, (size_t)at + strlen("'kernel_num_gb': ")), 40);
        double gb = strtod(arena_str(p->arena, text).p, NULL);

        k->bytes = gb > 0 && gb < 1e6 ? (int64_t)(gb * 1e9) : -1;
    }
}

/* A line in the text of a kernel: "@triton_heuristics.pointwise(" */
static void read_body(struct code_parser *p, struct str line)
{
    struct code_kernel *k = &p->out->kernels.v[p->defined - 1];

    if (str_has(line, p->body_end))
        p->body_end = (struct str){0};
    else if (str_consume(&line, STR("@triton_heuristics.")))
        k->heuristic = arena_str(p->arena, str_take(str_split(&line, '('), NAME_MAX_BYTES));
    else if (str_starts(line, STR("triton_meta=")) || str_starts(line, STR("inductor_meta=")))
        read_meta(p, k, line);
}

static void read_line(struct code_parser *p, struct str line)
{
    struct str call = line, name, value;
    ptrdiff_t equals = str_find(line, STR(" = "));

    if (str_starts(line, STR("#"))) {
        read_comment(p, line);
        return;
    }
    if (str_consume(&call, STR("assert_size_stride("))) {
        struct str size = second_argument(call, &name);

        note_size(p, name, size);
        return;
    }
    name = equals > 0 ? str_take(line, (size_t)equals) : (struct str){0};
    value = equals > 0 ? str_skip(line, (size_t)equals + 3) : line;
    if (name.n == 0 || name.n > NAME_MAX_BYTES || str_chr(name, ' ') >= 0) {
        read_call(p, line);
    } else if (str_consume(&value, STR("async_compile."))) {
        read_definition(p, name, value);
    } else {
        read_tensor(p, name, value);
        read_call(p, value);
    }
}

void output_code_parse(struct arena *a, struct str text, struct output_code *out)
{
    struct code_parser p = {.arena = a, .out = out};
    struct str line;

    *out = (struct output_code){0};
    map_init(&p.by_name, a);
    map_init(&p.sizes, a);
    while (str_next_line(&text, &line)) {
        line = str_trim(line);
        if (p.body_end.n)
            read_body(&p, line);
        else if (line.n)
            read_line(&p, line);
    }
}
