/*
 * format: the files that libpt2trace_gpu.so writes, one per process, in the directory PT2TRACE_GPU_DIR. Each line is a
 * letter and fields, separated by single blanks. The last field of `h`, `n` and `w` extends to the end of the line;
 * newlines and backslashes in it are written \n and \\. A file may end anywhere: its process may have been killed.
 *
 *   pt2trace-gpu-activity 1                     the first line: format and version
 *   h KEY VALUE                                 about the process: host, pid, rank, local_rank, program, cupti, library
 *   c CUPTI_NS UNIX_NS                          both clocks read at once. Starts are relative to the CUPTI_NS of the
 *                                               first one; later ones show how the clocks drift
 *   n ID NAME                                   name ID of the table: from 0, in order, before its first use
 *   k START NS NAME DEVICE STREAM CORRELATION GRAPH GRID BLOCK    a kernel; GRID and BLOCK are X,Y,Z
 *   m START NS COPY DEVICE STREAM CORRELATION GRAPH BYTES         a copy; COPY is a word such as HtoD
 *   s START NS DEVICE STREAM CORRELATION GRAPH BYTES              a memset
 *   g START NS DEVICE STREAM CORRELATION GRAPH                    a launch of a CUDA graph as a whole
 *   d COUNT                                     so many activities were lost since the last such line
 *   w UNIX_NS REASON                            from now on nothing is recorded
 *   e                                           the process ended in order
 *
 * Times are in ns; START may be negative. GRAPH is the id of the CUDA graph, 0 for none. Unknown words are skipped.
 */
#pragma once

#define GPU_FORMAT_NAME "pt2trace-gpu-activity"
enum { GPU_FORMAT_VERSION = 1 };
