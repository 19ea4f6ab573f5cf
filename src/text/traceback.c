#include "text/traceback.h"
bool traceback_parse(struct arena *a, struct str text, struct traceback *out){(void)a;(void)text;(void)out;return false;}
bool text_call_parse_metrics(struct str item, struct text_call *out){(void)item;(void)out;return false;}
size_t text_stack_take(struct arena *a, struct str *text, struct text_stack *out){(void)a;(void)text;(void)out;return 0;}
