#include "inject/record.h"

#include <stddef.h>

/*
 * CUPTI returns records in the newest struct of their kind that it knows, and new versions of a struct only add
 * members at the end. So one struct per kind serves for all versions, provided that the members read here are at the
 * same offset in the newest one (cupti_activity.h).
 */
#define SAME_PLACE(old, new, member)                                                                                   \
    _Static_assert(offsetof(old, member) == offsetof(new, member), "CUPTI moved " #member)

#if CUPTI_API_VERSION >= 130000
SAME_PLACE(CUpti_ActivityKernel9, CUpti_ActivityKernel10, start);
SAME_PLACE(CUpti_ActivityKernel9, CUpti_ActivityKernel10, gridX);
SAME_PLACE(CUpti_ActivityKernel9, CUpti_ActivityKernel10, name);
SAME_PLACE(CUpti_ActivityKernel9, CUpti_ActivityKernel10, graphId);
SAME_PLACE(CUpti_ActivityMemcpy5, CUpti_ActivityMemcpy6, bytes);
SAME_PLACE(CUpti_ActivityMemcpy5, CUpti_ActivityMemcpy6, graphId);
SAME_PLACE(CUpti_ActivityKernel7, CUpti_ActivityKernel10, graphId);
SAME_PLACE(CUpti_ActivityMemcpy4, CUpti_ActivityMemcpy6, graphId);
SAME_PLACE(CUpti_ActivityMemset3, CUpti_ActivityMemset4, graphId);
SAME_PLACE(CUpti_ActivityGraphTrace, CUpti_ActivityGraphTrace2, streamId);
#endif

static void decode_kernel(const CUpti_ActivityKernel9 *k, struct gpu_record *out)
{
    *out = (struct gpu_record){
        .kind = 'k',
        .start = k->start,
        .end = k->end,
        .name = k->name ? k->name : "",
        .device = k->deviceId,
        .stream = k->streamId,
        .correlation = k->correlationId,
        .graph = k->graphId,
        .grid = {k->gridX, k->gridY, k->gridZ},
        .block = {k->blockX, k->blockY, k->blockZ},
    };
}

static const char *copy_word(uint8_t kind)
{
    static const char *const words[] = {
        [CUPTI_ACTIVITY_MEMCPY_KIND_HTOD] = "HtoD", [CUPTI_ACTIVITY_MEMCPY_KIND_DTOH] = "DtoH",
        [CUPTI_ACTIVITY_MEMCPY_KIND_HTOA] = "HtoA", [CUPTI_ACTIVITY_MEMCPY_KIND_ATOH] = "AtoH",
        [CUPTI_ACTIVITY_MEMCPY_KIND_ATOA] = "AtoA", [CUPTI_ACTIVITY_MEMCPY_KIND_ATOD] = "AtoD",
        [CUPTI_ACTIVITY_MEMCPY_KIND_DTOA] = "DtoA", [CUPTI_ACTIVITY_MEMCPY_KIND_DTOD] = "DtoD",
        [CUPTI_ACTIVITY_MEMCPY_KIND_HTOH] = "HtoH", [CUPTI_ACTIVITY_MEMCPY_KIND_PTOP] = "PtoP",
    };

    return kind < sizeof words / sizeof *words && words[kind] ? words[kind] : "copy";
}

static void decode_memcpy(const CUpti_ActivityMemcpy5 *m, struct gpu_record *out)
{
    *out = (struct gpu_record){
        .kind = 'm',
        .start = m->start,
        .end = m->end,
        .copy = copy_word(m->copyKind),
        .device = m->deviceId,
        .stream = m->streamId,
        .correlation = m->correlationId,
        .graph = m->graphId,
        .bytes = m->bytes,
    };
}

/* For a copy between devices, the device whose engine copies is recorded. */
static void decode_peer_copy(const CUpti_ActivityMemcpyPtoP4 *m, struct gpu_record *out)
{
    *out = (struct gpu_record){
        .kind = 'm',
        .start = m->start,
        .end = m->end,
        .copy = "PtoP",
        .device = m->deviceId,
        .stream = m->streamId,
        .correlation = m->correlationId,
        .graph = m->graphId,
        .bytes = m->bytes,
    };
}

static void decode_memset(const CUpti_ActivityMemset4 *m, struct gpu_record *out)
{
    *out = (struct gpu_record){
        .kind = 's',
        .start = m->start,
        .end = m->end,
        .device = m->deviceId,
        .stream = m->streamId,
        .correlation = m->correlationId,
        .graph = m->graphId,
        .bytes = m->bytes,
    };
}

static void decode_graph(const CUpti_ActivityGraphTrace *g, struct gpu_record *out)
{
    *out = (struct gpu_record){
        .kind = 'g',
        .start = g->start,
        .end = g->end,
        .device = g->deviceId,
        .stream = g->streamId,
        .correlation = g->correlationId,
        .graph = g->graphId,
    };
}

enum gpu_decoded gpu_record_decode(const CUpti_Activity *from, struct gpu_record *out)
{
    switch ((int)from->kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        decode_kernel((const CUpti_ActivityKernel9 *)from, out);
        break;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        decode_memcpy((const CUpti_ActivityMemcpy5 *)from, out);
        break;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        decode_peer_copy((const CUpti_ActivityMemcpyPtoP4 *)from, out);
        break;
    case CUPTI_ACTIVITY_KIND_MEMSET:
        decode_memset((const CUpti_ActivityMemset4 *)from, out);
        break;
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
        decode_graph((const CUpti_ActivityGraphTrace *)from, out);
        break;
    default:
        return GPU_IGNORED;
    }
    return out->start == 0 || out->end < out->start ? GPU_UNTIMED : GPU_DECODED;
}
