/*
 * glog: the prefix that PyTorch's logging puts before a message. Any thread.
 *
 *   V1121 07:52:52.363000 9102 torch/_dynamo/convert_frame.py:303] text           2.3 and later
 *   V0214 07:00:49.354000 139646045393920 torch/_dynamo/guards.py:1023 [0/0] text  its first form: no ']'
 *   [2024-02-13 19:34:50,591] [0/0] torch._dynamo.guards: [DEBUG] text             2.2 and earlier
 *
 * Source: TorchLogsFormatter in torch/_logging/_internal.py. The date is local time without year or zone; the number
 * is the process id from 2.5 on and a thread id before.
 */
#pragma once

#include "util/str.h"

struct glog {
    char level;       /* V I W E C */
    uint16_t year;    /* 0 if the form has none */
    uint8_t month, day;
    int64_t time_us;  /* since local midnight */
    uint64_t number;  /* process or thread id; 0 if the form has none */
    struct str file;  /* or the logger's name; line lifetime */
    uint32_t line;    /* 0 if the form has none */
    struct str text;  /* the rest, without the blank after ']'; line lifetime */
};

/* The prefix must be at the very start of the line. */
bool glog_parse(struct str line, struct glog *out);

/* The letter for a level that is spelled out ("DEBUG": V); false for any other word. */
bool glog_level_of(struct str word, char *out);
/* Takes "WARNING]" and a blank behind it off the text. */
bool glog_take_level(struct str *text, char *out);

/* Offset of the first place at or after `from` where a glog prefix of the first form begins, or -1. */
ptrdiff_t glog_find(struct str text, size_t from);

/* Linux gives no process id above this (2^22): a larger number is a thread id. */
enum { GLOG_LARGEST_PID = 1 << 22 };
