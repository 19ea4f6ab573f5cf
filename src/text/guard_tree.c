#include "text/guard_tree.h"
