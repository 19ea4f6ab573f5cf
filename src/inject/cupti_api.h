/* cupti_api: the functions of libcupti, found at run time. Without libcupti nothing is recorded. One thread. */
#pragma once

#include <cupti.h>
#include <stdbool.h>

struct cupti_api {
    char path[1024];  /* the library's path */
    uint32_t version; /* CUPTI_API_VERSION of the library: 18 is CUDA 12.0, 130000 CUDA 13.0 */
    CUptiResult (*get_version)(uint32_t *version);
    CUptiResult (*get_timestamp)(uint64_t *ns);
    CUptiResult (*get_result_string)(CUptiResult result, const char **text);
    CUptiResult (*subscribe)(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback, void *object);
    CUptiResult (*unsubscribe)(CUpti_SubscriberHandle subscriber);
    CUptiResult (*enable)(CUpti_ActivityKind kind);
    CUptiResult (*register_callbacks)(CUpti_BuffersCallbackRequestFunc requested,
                                      CUpti_BuffersCallbackCompleteFunc completed);
    CUptiResult (*next_record)(uint8_t *buffer, size_t bytes, CUpti_Activity **record);
    CUptiResult (*dropped_records)(CUcontext context, uint32_t stream, size_t *dropped);
    CUptiResult (*flush_all)(uint32_t flag);
};

/*
 * Finds and opens libcupti. In this order: the one that PT2TRACE_CUPTI names; one that is loaded already, because two
 * in one process would interfere; one near the loaded libraries, as in PyTorch's wheels; the one of CUDA_HOME or
 * CUDA_PATH; and any that the system finds. False if none of them has all functions.
 */
bool cupti_load(struct cupti_api *api);
