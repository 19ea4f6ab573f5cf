#include "text/break_text.h"
void break_text_parse(struct arena *a, struct str text, struct break_text *out){(void)a;*out=(struct break_text){.type=text,.message=text};}
void break_message_parse(struct arena *a, struct str m, struct break_text *o){break_text_parse(a,m,o);}
