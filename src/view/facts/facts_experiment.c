/* Functions for the objects of report.json about `pt2trace run`. */
#include "view/facts/facts.h"

#include "view/facts/fact_rows.h"

#include "view/facts/experiment.def"
