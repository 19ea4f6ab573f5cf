/* Objects of report.json about what `pt2trace run` did. */
#include "view/facts/facts.h"

#include "view/facts/rows_write.h"

#include "view/facts/experiment.def"
