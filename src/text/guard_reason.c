#include "text/guard_reason.h"
void guard_reason_parse(struct arena *a, struct str text, struct guard_reason *out){(void)a;*out=(struct guard_reason){.guard=text};}
void guard_reason_split(struct arena *a, struct str text, struct guard_reason_texts *out){vec_push(a,&out->list,text);}
const char *guard_class_name(enum guard_class c){(void)c;return "other";}
const char *guard_class_title(enum guard_class c){(void)c;return "other";}
