#include "inject/cupti_api.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- functions ---------------------------------------------------------------------------------------------------- */

static bool find_functions(void *library, struct cupti_api *api)
{
    static const struct {
        const char *name;
        size_t at;
    } functions[] = {
        {"cuptiGetVersion", offsetof(struct cupti_api, get_version)},
        {"cuptiGetTimestamp", offsetof(struct cupti_api, get_timestamp)},
        {"cuptiGetResultString", offsetof(struct cupti_api, get_result_string)},
        {"cuptiSubscribe", offsetof(struct cupti_api, subscribe)},
        {"cuptiUnsubscribe", offsetof(struct cupti_api, unsubscribe)},
        {"cuptiActivityEnable", offsetof(struct cupti_api, enable)},
        {"cuptiActivityRegisterCallbacks", offsetof(struct cupti_api, register_callbacks)},
        {"cuptiActivityGetNextRecord", offsetof(struct cupti_api, next_record)},
        {"cuptiActivityGetNumDroppedRecords", offsetof(struct cupti_api, dropped_records)},
        {"cuptiActivityFlushAll", offsetof(struct cupti_api, flush_all)},
    };

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);

        if (!function)
            return false;
        memcpy((char *)api + functions[i].at, &function, sizeof function);
    }
    return true;
}

static bool open_library(struct cupti_api *api, const char *path, int flags)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | flags);
    struct link_map *map;

    if (!library)
        return false;
    if (!find_functions(library, api) || api->get_version(&api->version) != CUPTI_SUCCESS) {
        dlclose(library);
        return false;
    }
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0)
        snprintf(api->path, sizeof api->path, "%s", map->l_name);
    return true;
}

/* --- places ------------------------------------------------------------------------------------------------------- */

/* Newest first. Only one version fits the CUDA of the process, so libraries near the CUDA libraries are tried first. */
static const char *const sonames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8", "libcupti.so"};
enum { SONAMES = sizeof sonames / sizeof *sonames };

static bool open_in(struct cupti_api *api, const char *directory, const char *below)
{
    char path[4096];

    for (int i = 0; i < SONAMES; i++) {
        int n = snprintf(path, sizeof path, "%s%s/%s", directory, below, sonames[i]);

        if (n > 0 && (size_t)n < sizeof path && access(path, R_OK) == 0 && open_library(api, path, 0))
            return true;
    }
    return false;
}

static bool open_loaded(struct cupti_api *api)
{
    for (int i = 0; i < SONAMES; i++)
        if (open_library(api, sonames[i], RTLD_NOLOAD))
            return true;
    return false;
}

/*
 * Where PyTorch's wheels put it: site-packages/nvidia/cuda_runtime/lib/libcudart.so.12 next to nvidia/cuda_cupti/lib;
 * with CUDA 13 all in nvidia/cu13/lib; and site-packages/torch/lib, two levels below the folder that contains nvidia.
 */
static int look_beside(struct dl_phdr_info *loaded, size_t size, void *object)
{
    static const struct {
        const char *part, *below;
    } places[] = {
        {"/nvidia/", "/nvidia/cuda_cupti/lib"}, {"/nvidia/", "/nvidia/cu13/lib"},
        {"/torch/lib/", "/nvidia/cuda_cupti/lib"}, {"/torch/lib/", "/nvidia/cu13/lib"},
    };
    const char *path = loaded->dlpi_name;
    char directory[4096];

    (void)size;
    for (size_t i = 0; path && i < sizeof places / sizeof *places; i++) {
        const char *at = strstr(path, places[i].part);
        size_t n = at ? (size_t)(at - path) : 0;

        if (!at || n >= sizeof directory)
            continue;
        memcpy(directory, path, n);
        directory[n] = 0;
        if (strlen(directory) + strlen(places[i].below) < sizeof directory) {
            strcat(directory, places[i].below);
            if (access(directory, R_OK) == 0) {
                snprintf(object, sizeof directory, "%s", directory);
                return 1;
            }
        }
    }
    return 0;
}

/* The library is opened after the loader's walk is over, because the loader holds its lock until then. */
static bool open_beside(struct cupti_api *api)
{
    char directory[4096] = "";

    return dl_iterate_phdr(look_beside, directory) == 1 && open_in(api, directory, "");
}

static bool open_in_toolkit(struct cupti_api *api)
{
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
    static const char *const below[] = {"/extras/CUPTI/lib64", "/lib64", "/lib"};

    for (size_t v = 0; v < sizeof variables / sizeof *variables; v++)
        for (size_t b = 0; b < sizeof below / sizeof *below; b++)
            if (getenv(variables[v]) && open_in(api, getenv(variables[v]), below[b]))
                return true;
    return false;
}

static bool open_anywhere(struct cupti_api *api)
{
    for (int i = 0; i < SONAMES; i++)
        if (open_library(api, sonames[i], 0))
            return true;
    return open_in(api, "/usr/local/cuda", "/extras/CUPTI/lib64") || open_in(api, "/usr/local/cuda", "/lib64");
}

bool cupti_load(struct cupti_api *api)
{
    const char *named = getenv("PT2TRACE_CUPTI");

    *api = (struct cupti_api){0};
    if (named && *named)
        return open_library(api, named, 0);
    return open_loaded(api) || open_beside(api) || open_in_toolkit(api) || open_anywhere(api);
}
