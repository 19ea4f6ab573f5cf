/* Functions for the objects of report.json about `pt2trace run`. */
#include "view/facts/facts.h"

#include "view/facts/rows_write.h"

#include "view/facts/experiment.def"
