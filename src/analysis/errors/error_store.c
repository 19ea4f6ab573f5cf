#include "analysis/errors/error_store.h"

#include "model/conclude/failures.h"

static bool names_collective(struct str message)
{
    static const struct str words[] = {STR_INIT("ollective"), STR_INIT("atchdog"), STR_INIT("WorkNCCL("),
                                       STR_INIT("OpType="), STR_INIT("NCCL error"), STR_INIT("ncclUniqueId")};

    return STR_HAS_ANY(message, words);
}

bool error_store_is(const struct error *e)
{
    static const struct str types[] = {STR_INIT("DistStoreError"), STR_INIT("DistNetworkError")};
    static const struct str words[] = {STR_INIT("C10d store"), STR_INIT("TCPStore"), STR_INIT("client socket has"),
                                       STR_INIT("server socket"), STR_INIT("failed to listen"),
                                       STR_INIT("failed to bind")};
    struct str message = str_take(e->failure->message, ERROR_SEARCHED), type = e->failure->type;

    if (e->category != ERROR_COLLECTIVE || names_collective(message) || failure_is_timeout(e->failure) ||
        str_eq(type, STR(COLLECTIVE_TIMEOUT_TYPE)))
        return false;
    return STR_IS_ANY(type, types) || str_starts(type, STR("Rendezvous")) || STR_HAS_ANY(message, words);
}

bool error_store_is_of_gloo(const struct error *e)
{
    struct str message = str_take(e->failure->message, ERROR_SEARCHED);

    return e->category == ERROR_COLLECTIVE && !names_collective(message) && str_has(message, STR("gloo/transport/"));
}
