/* Functions for the objects of report.json about Flight Recorders. */
#include "view/facts/facts.h"

static const struct flight_op *op_of(const struct flight_call *c)
{
    return &c->dump->ops.v[c->entry->op];
}

/* NULL if there is no such call. */
static const struct flight_call *recorded(const struct flight_call *c)
{
    return c->entry ? c : NULL;
}

#include "view/facts/fact_rows.h"

#include "view/facts/flight.def"
