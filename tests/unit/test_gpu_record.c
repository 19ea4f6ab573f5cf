/* Records of CUPTI, built in memory, of the struct that each version of CUPTI gives. */
#include "unit.h"

#include "inject/record.h"

#include <string.h>

static void kernel_of_newest_and_oldest_struct(void **state)
{
    CUpti_ActivityKernel9 k = {
        .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, .start = 1000, .end = 3500, .deviceId = 2, .streamId = 7,
        .correlationId = 99, .gridX = 10, .gridY = 11, .gridZ = 12, .blockX = 128, .blockY = 2, .blockZ = 3,
        .name = "triton_poi_fused_add_0", .graphId = 5,
    };
    /* Members after those that are read, as newer structs have them. */
    union {
        CUpti_Activity first;
        unsigned char bytes[2 * sizeof k];
    } newer;
    struct gpu_record r;

    (void)state;
    memset(&newer, 0xff, sizeof newer);
    memcpy(&newer, &k, sizeof k);
    for (int kind = 0; kind < 2; kind++) {
        newer.first.kind = kind ? CUPTI_ACTIVITY_KIND_KERNEL : CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
        assert_int_equal(gpu_record_decode(&newer.first, &r), GPU_DECODED);
        assert_int_equal(r.kind, 'k');
        assert_int_equal(r.start, 1000);
        assert_int_equal(r.end, 3500);
        assert_int_equal(r.device, 2);
        assert_int_equal(r.stream, 7);
        assert_int_equal(r.correlation, 99);
        assert_int_equal(r.graph, 5);
        assert_int_equal(r.grid[0], 10);
        assert_int_equal(r.grid[2], 12);
        assert_int_equal(r.block[0], 128);
        assert_int_equal(r.block[1], 2);
        assert_string_equal(r.name, "triton_poi_fused_add_0");
    }
}

static void kernel_without_name(void **state)
{
    CUpti_ActivityKernel9 k = {.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, .start = 1, .end = 1};
    struct gpu_record r;

    (void)state;
    assert_int_equal(gpu_record_decode((CUpti_Activity *)&k, &r), GPU_DECODED);
    assert_string_equal(r.name, "");
}

static void copies(void **state)
{
    CUpti_ActivityMemcpy5 m = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY, .copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOH,
                               .start = 5, .end = 9, .bytes = 4096, .deviceId = 1, .streamId = 3, .correlationId = 8,
                               .graphId = 6};
    CUpti_ActivityMemcpyPtoP4 p = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY2, .start = 5, .end = 9, .bytes = 77,
                                   .srcDeviceId = 4, .deviceId = 1, .graphId = 2};
    struct gpu_record r;

    (void)state;
    assert_int_equal(gpu_record_decode((CUpti_Activity *)&m, &r), GPU_DECODED);
    assert_int_equal(r.kind, 'm');
    assert_string_equal(r.copy, "DtoH");
    assert_int_equal(r.bytes, 4096);
    assert_int_equal(r.device, 1);
    assert_int_equal(r.stream, 3);
    assert_int_equal(r.correlation, 8);
    assert_int_equal(r.graph, 6);
    assert_int_equal(gpu_record_decode((CUpti_Activity *)&p, &r), GPU_DECODED);
    assert_string_equal(r.copy, "PtoP");
    assert_int_equal(r.bytes, 77);
    assert_int_equal(r.graph, 2);
    m.copyKind = 250; /* of a CUPTI to come */
    assert_int_equal(gpu_record_decode((CUpti_Activity *)&m, &r), GPU_DECODED);
    assert_string_equal(r.copy, "copy");
}

static void memset_and_graph(void **state)
{
    CUpti_ActivityMemset4 m = {.kind = CUPTI_ACTIVITY_KIND_MEMSET, .start = 5, .end = 9, .bytes = 12, .streamId = 3,
                               .graphId = 4};
    CUpti_ActivityGraphTrace g = {.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE, .start = 50, .end = 90, .deviceId = 1,
                                  .graphId = 17, .streamId = 2, .correlationId = 3};
    struct gpu_record r;

    (void)state;
    assert_int_equal(gpu_record_decode((CUpti_Activity *)&m, &r), GPU_DECODED);
    assert_int_equal(r.kind, 's');
    assert_int_equal(r.bytes, 12);
    assert_int_equal(r.graph, 4);
    assert_int_equal(gpu_record_decode((CUpti_Activity *)&g, &r), GPU_DECODED);
    assert_int_equal(r.kind, 'g');
    assert_int_equal(r.graph, 17);
    assert_int_equal(r.stream, 2);
    assert_int_equal(r.correlation, 3);
    assert_int_equal(r.end - r.start, 40);
}

static void what_is_not_recorded(void **state)
{
    CUpti_ActivityKernel9 k = {.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, .name = "x"};
    CUpti_Activity other = {.kind = CUPTI_ACTIVITY_KIND_OVERHEAD};
    struct gpu_record r;

    (void)state;
    assert_int_equal(gpu_record_decode((CUpti_Activity *)&k, &r), GPU_UNTIMED);
    k.start = 10;
    k.end = 9;
    assert_int_equal(gpu_record_decode((CUpti_Activity *)&k, &r), GPU_UNTIMED);
    assert_int_equal(gpu_record_decode(&other, &r), GPU_IGNORED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernel_of_newest_and_oldest_struct),
        cmocka_unit_test(kernel_without_name),
        cmocka_unit_test(copies),
        cmocka_unit_test(memset_and_graph),
        cmocka_unit_test(what_is_not_recorded),
    };

    return RUN(tests);
}
