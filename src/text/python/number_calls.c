#include "text/python/number_calls.h"

/* Names of functions between blanks. */
struct group {
    enum number_call what;
    const char *names;
};

static const struct group builtins[] = {
    {NUMBER_AS_KEY, " frozenset hash set "},
    {NUMBER_IGNORED, " callable isinstance type "},
    {NUMBER_IN_TEXT, " ascii bin format hex oct print repr str "},
    {NUMBER_KEPT, " abs bool float int max min pow round sum "},
    {NUMBER_LISTED, " enumerate iter list reversed tuple zip "},
    {NUMBER_NEEDED, " bytes chr complex divmod range sorted "},
    {NUMBER_TAKEN, " dict setattr slice "},
    {NUMBER_TESTED, " all any filter "},
};

/* Others of it need the number: exp, log, isfinite, … */
static const struct group of_math[] = {
    {NUMBER_KEPT, " acos asin atan ceil cos cosh floor log2 prod sin sinh sqrt tan tanh trunc "},
};

/* Functions of torch, methods of tensors and of Python's containers. */
static const struct group functions[] = {
    {NUMBER_AS_KEY, " get index insert pop "},
    {NUMBER_IGNORED, " append extend update "},
    {NUMBER_NEEDED,
     " adaptive_avg_pool1d adaptive_avg_pool2d adaptive_max_pool1d adaptive_max_pool2d addmm amax amin argmax"
     " argmin argsort as_tensor avg_pool1d avg_pool2d bincount cat cdist chunk conv1d conv2d cross_entropy"
     " ctc_loss cummax cumprod cumsum diag diagonal flip group_norm hardtanh huber_loss is_integer isclose"
     " layer_norm linspace logspace logsumexp margin_ranking_loss max_pool1d max_pool2d mean movedim nan_to_num"
     " norm normal normalize one_hot permute pixel_shuffle quantile round scaled_dot_product_attention"
     " smooth_l1_loss softmax sort squeeze stack std sum transpose triplet_margin_loss triu_indices unflatten"
     " unfold uniform_ unsqueeze var "},
    {NUMBER_TAKEN,
     " add add_ addcmul baddbmm bernoulli celu clamp clamp_ clip div div_ dropout elu eq fill_ fmod ge gt"
     " gumbel_softmax index_fill kthvalue le leaky_relu lerp lerp_ lt masked_fill masked_fill_ mul mul_ ne"
     " new_tensor pow remainder roll scalar_tensor scatter_ select softplus sub sub_ tensor threshold tril triu"
     " where "},
    {NUMBER_AS_SIZE,
     " arange broadcast_to empty expand eye full narrow new_empty new_full new_ones new_zeros ones pad rand"
     " randint randn randperm repeat repeat_interleave reshape tile topk view zeros "},
};

static enum number_call find_in(const struct group *groups, size_t n, struct str name, enum number_call otherwise)
{
    for (size_t i = 0; i < n; i++) {
        struct str rest = str_of(groups[i].names);

        while (rest.n)
            if (str_eq(str_split(&rest, ' '), name))
                return groups[i].what;
    }
    return otherwise;
}

enum number_call number_call_of(struct str owner, struct str name)
{
    if (name.n == 0)
        return NUMBER_UNKNOWN;
    if (owner.n == 0)
        return find_in(builtins, sizeof builtins / sizeof *builtins, name, NUMBER_UNKNOWN);
    if (str_eq(owner, STR("math")))
        return find_in(of_math, sizeof of_math / sizeof *of_math, name, NUMBER_NEEDED);
    if (str_eq(owner, STR("np")) || str_eq(owner, STR("numpy")))
        return NUMBER_NEEDED;
    return find_in(functions, sizeof functions / sizeof *functions, name, NUMBER_UNKNOWN);
}
