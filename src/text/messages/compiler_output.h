/*
 * compiler_output: what a message of a C++ compile that failed has of the compiler's own words. PyTorch raises it only
 * if the compiler was started and returned an error (torch/_inductor/cpp_builder.py, _run_compile_cmd):
 *
 *   C++ compile error
 *
 *   Command:
 *   cl /I C:/include c1.cpp ...
 *
 *   Output:
 *   Microsoft (R) C/C++ Optimizing Compiler Version 19.44.35219 for x64        .version
 *   Copyright (C) Microsoft Corporation.  All rights reserved.
 *
 *   cl : Command line error D8016 : ...                                        .line, .has_error
 *
 * Views of the message. Any thread.
 */
#pragma once

#include "util/str.h"

struct compiler_output {
    bool begins;        /* the message has the words "Output:" */
    bool foreign;       /* the banner is in another language than English */
    struct str version; /* of MSVC, from its banner; empty: unknown */
    struct str line;    /* the error, else the first line that is neither the banner nor the name of a file */
    bool has_error;     /* that line is an error */
};

/* False if the message is none of a C++ compile that failed. */
bool compiler_output_read(struct str message, struct compiler_output *out);
