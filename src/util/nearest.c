#include "util/nearest.h"

/* A third of the letters may be wrong, but fewer in words so short that anything would be near them. */
static unsigned most_steps(size_t letters)
{
    return letters < 3 ? 0 : letters < 6 ? 1 : (unsigned)letters / 3;
}

struct nearest nearest_to(struct str wanted)
{
    return (struct nearest){.wanted = wanted, .steps = most_steps(wanted.n) + 1};
}

/* The letters that are compared; returns how many. */
static size_t letters_of(struct str s, char *out)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n && n < NEAREST_LETTERS_MAX; i++)
        if (s.p[i] != '-' && s.p[i] != '_' && s.p[i] != ' ')
            out[n++] = s.p[i] >= 'A' && s.p[i] <= 'Z' ? (char)(s.p[i] - 'A' + 'a') : s.p[i];
    return n;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The Damerau distance, in the variant that edits no swapped pair again. */
static unsigned distance(const char *a, size_t an, const char *b, size_t bn)
{
    unsigned rows[3][NEAREST_LETTERS_MAX + 1];

    for (size_t k = 0; k <= bn; k++)
        rows[0][k] = (unsigned)k;
    for (size_t i = 1; i <= an; i++) {
        unsigned *row = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];

        row[0] = (unsigned)i;
        for (size_t k = 1; k <= bn; k++) {
            row[k] = least(least(before[k], row[k - 1]) + 1, before[k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[k] = least(row[k], earlier[k - 2] + 1);
        }
    }
    return rows[an % 3][bn];
}

void nearest_try(struct nearest *n, struct str word)
{
    char a[NEAREST_LETTERS_MAX], b[NEAREST_LETTERS_MAX];
    unsigned steps;

    if (n->wanted.n > NEAREST_LETTERS_MAX || word.n > NEAREST_LETTERS_MAX)
        return;
    steps = distance(a, letters_of(n->wanted, a), b, letters_of(word, b));
    if (steps < n->steps) {
        n->steps = steps;
        n->word = word;
    }
}
