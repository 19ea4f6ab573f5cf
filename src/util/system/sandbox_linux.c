#include "util/system/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* --- Landlock: which files ---------------------------------------------------------------------------------------- */

/*
 * From https://docs.kernel.org/userspace-api/landlock.html, because a distribution's headers are older than its
 * kernel. The numbers of the system calls are the same on all architectures.
 */
enum { LANDLOCK_CREATE_RULESET = 444, LANDLOCK_ADD_RULE = 445, LANDLOCK_RESTRICT_SELF = 446 };
enum { RULE_PATH_BENEATH = 1, ASK_FOR_VERSION = 1 };

enum landlock_right {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    REMOVE_DIR = 1 << 4,
    REMOVE_FILE = 1 << 5,
    MAKE_CHAR = 1 << 6,
    MAKE_DIR = 1 << 7,
    MAKE_REG = 1 << 8,
    MAKE_SOCK = 1 << 9,
    MAKE_FIFO = 1 << 10,
    MAKE_BLOCK = 1 << 11,
    MAKE_SYM = 1 << 12,
    REFER = 1 << 13,    /* since version 2 */
    TRUNCATE = 1 << 14, /* 3 */
    /* connections (4), ioctl of devices (5), signals and abstract sockets (6) */
    CONNECTIONS = 3,
    SCOPES = 3,
    ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE,
};

struct ruleset {
    uint64_t files, net, scoped;
};

struct path_rule {
    uint64_t rights;
    int32_t fd;
} __attribute__((packed));

/*
 * Version 1 does not allow moving a file to another directory, which publishing a report needs: then no rules are used
 * at all.
 */
enum { OLDEST = 2 };

static int landlock_version(void)
{
    long version = syscall(LANDLOCK_CREATE_RULESET, NULL, 0, ASK_FOR_VERSION);

    return version < OLDEST ? 0 : (int)version;
}

static uint64_t known_rights(int version)
{
    return version >= 3 ? TRUNCATE * 2 - 1 : TRUNCATE - 1;
}

static uint64_t rights_of(enum sandbox_access access)
{
    switch (access) {
    case SANDBOX_READ:
        return READ_FILE | READ_DIR;
    case SANDBOX_WRITE:
        return READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | MAKE_REG | MAKE_DIR | MAKE_SYM | REMOVE_FILE |
               REMOVE_DIR | REFER;
    case SANDBOX_REMOVE_DIRS:
        break;
    }
    return REMOVE_DIR;
}

/* A path that does not exist or cannot be opened is not allowed. */
static void allow(int rules, const struct sandbox_path *p, uint64_t known)
{
    struct path_rule rule = {.rights = rights_of(p->access) & known, .fd = open(p->path, O_PATH | O_CLOEXEC)};
    struct stat st;

    if (rule.fd < 0)
        return;
    if (fstat(rule.fd, &st) == 0 && !S_ISDIR(st.st_mode))
        rule.rights &= ON_FILES;
    syscall(LANDLOCK_ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0);
    close(rule.fd);
}

static void limit_files(const struct sandbox_path *paths, size_t n)
{
    int version = landlock_version(), rules;
    struct ruleset r = {.files = known_rights(version), .net = CONNECTIONS, .scoped = SCOPES};
    size_t size = version >= 6 ? sizeof r : version >= 4 ? offsetof(struct ruleset, scoped) : sizeof r.files;

    rules = version ? (int)syscall(LANDLOCK_CREATE_RULESET, &r, size, 0) : -1;
    if (rules < 0)
        return;
    for (size_t i = 0; i < n; i++)
        allow(rules, &paths[i], r.files);
    syscall(LANDLOCK_RESTRICT_SELF, rules, 0);
    close(rules);
}

/* --- seccomp: which calls ----------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
static const uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
static const uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
static const uint32_t architecture = 0; /* no architecture whose numbers are known here */
#endif

/* On x86_64, numbers from here on belong to x32. */
enum { OTHER_NUMBERS = 0x40000000 };

/* These calls fail with EPERM. Calls that an architecture lacks are left out. */
static const int denied[] = {
    /* connections */
    __NR_socket, __NR_socketpair, __NR_connect, __NR_bind, __NR_listen, __NR_accept4,
#ifdef __NR_accept
    __NR_accept,
#endif
    /* programs and processes */
    __NR_execve, __NR_execveat,
#ifdef __NR_fork
    __NR_fork, __NR_vfork,
#endif
    __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_kcmp, __NR_tkill, 424 /* pidfd_send_signal */,
    434 /* pidfd_open */, 438 /* pidfd_getfd */, 440 /* process_madvise */,
    /* name, owner and permissions of files, which Landlock does not control */
    __NR_fchmodat, 452 /* fchmodat2 */, __NR_fchownat, __NR_setxattr, __NR_lsetxattr, __NR_fsetxattr, __NR_removexattr,
    __NR_lremovexattr, __NR_fremovexattr, __NR_utimensat, __NR_mknodat,
#ifdef __NR_chmod
    __NR_chmod, __NR_chown, __NR_lchown, __NR_utime, __NR_utimes, __NR_futimesat, __NR_mknod,
#endif
    __NR_name_to_handle_at, __NR_open_by_handle_at,
    /* ways around these rules: io_uring escapes this filter; the others work in another namespace or in the kernel */
    425 /* io_uring_setup */, 426 /* io_uring_enter */, 427 /* io_uring_register */, __NR_bpf, __NR_perf_event_open,
    __NR_userfaultfd, __NR_unshare, __NR_setns, __NR_chroot, __NR_pivot_root, __NR_mount, __NR_umount2,
    428 /* open_tree */, 429 /* move_mount */, 430 /* fsopen */, 431 /* fsconfig */, 432 /* fsmount */,
    433 /* fspick */, 442 /* mount_setattr */, __NR_add_key, __NR_request_key, __NR_keyctl, __NR_init_module,
    __NR_finit_module, __NR_delete_module, __NR_kexec_load, __NR_reboot, __NR_swapon, __NR_swapoff, __NR_acct,
    __NR_quotactl, __NR_settimeofday, __NR_clock_settime, __NR_adjtimex, __NR_clock_adjtime, __NR_sethostname,
    __NR_setdomainname, __NR_personality, __NR_syslog};

/* Signals only to this process: the first argument is the process they are for. */
static const int to_itself[] = {__NR_kill, __NR_tgkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo};

enum { DENIED = sizeof denied / sizeof *denied, TO_ITSELF = sizeof to_itself / sizeof *to_itself };
enum { FILTER_MAX = DENIED + TO_ITSELF + 20 };

struct filter {
    struct sock_filter code[FILTER_MAX];
    unsigned short n;
};

static void add(struct filter *f, uint16_t code, uint32_t k, int yes, int no)
{
    f->code[f->n++] = (struct sock_filter){.code = code, .jt = (uint8_t)yes, .jf = (uint8_t)no, .k = k};
}

static void load(struct filter *f, size_t offset)
{
    add(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void jump_if(struct filter *f, uint16_t test, uint32_t k, int yes, int no)
{
    add(f, (uint16_t)(BPF_JMP | BPF_K | test), k, yes, no);
}

static void answer(struct filter *f, uint32_t what)
{
    add(f, BPF_RET | BPF_K, what, 0, 0);
}

/*
 * The filter compares the number of a call with each of a list, and jumps to one of five answers at its end: deny,
 * check a thread (clone), check a signal, deny with ENOSYS (clone3, so that the C library uses clone instead), and
 * allow.
 */
static void make_filter(struct filter *f)
{
    const uint32_t no = SECCOMP_RET_ERRNO | EPERM;
    const int deny = 8 + DENIED + TO_ITSELF, thread = deny + 1, signal = thread + 4, clone3 = signal + 4;

    *f = (struct filter){.n = 0};
    load(f, offsetof(struct seccomp_data, arch));
    jump_if(f, BPF_JEQ, architecture, 1, 0);
    answer(f, SECCOMP_RET_KILL_PROCESS);
    load(f, offsetof(struct seccomp_data, nr));
    jump_if(f, BPF_JGE, OTHER_NUMBERS, deny - f->n - 1, 0);
    for (int i = 0; i < DENIED; i++)
        jump_if(f, BPF_JEQ, (uint32_t)denied[i], deny - f->n - 1, 0);
    for (int i = 0; i < TO_ITSELF; i++)
        jump_if(f, BPF_JEQ, (uint32_t)to_itself[i], signal - f->n - 1, 0);
    jump_if(f, BPF_JEQ, __NR_clone, thread - f->n - 1, 0);
    jump_if(f, BPF_JEQ, 435 /* clone3 */, clone3 - f->n - 1, 0);
    answer(f, SECCOMP_RET_ALLOW);
    answer(f, no); /* deny */
    load(f, offsetof(struct seccomp_data, args[0]));
    jump_if(f, BPF_JSET, CLONE_THREAD, 0, 1);
    answer(f, SECCOMP_RET_ALLOW);
    answer(f, no);
    load(f, offsetof(struct seccomp_data, args[0]));
    jump_if(f, BPF_JEQ, (uint32_t)getpid(), 0, 1);
    answer(f, SECCOMP_RET_ALLOW);
    answer(f, no);
    answer(f, SECCOMP_RET_ERRNO | ENOSYS);
}

static bool has_seccomp(void)
{
    return architecture != 0 && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 0;
}

/*
 * Without the mitigations that keep other programs safe from this one's speculation: it has no secrets, and they cost
 * time.
 */
static void limit_calls(void)
{
    struct filter f;
    struct sock_fprog program = {.filter = f.code};

    make_filter(&f);
    program.len = f.n;
    if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) != 0)
        syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

/* --- both --------------------------------------------------------------------------------------------------------- */

void sandbox_enter(const struct sandbox_path *paths, size_t n)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return; /* required by both Landlock and seccomp */
    limit_files(paths, n);
    if (has_seccomp())
        limit_calls();
}

const char *sandbox_describe(void)
{
    bool landlock = landlock_version() != 0;

    if (!has_seccomp())
        return landlock ? "Landlock" : "none";
    return landlock ? "Landlock and seccomp" : "seccomp";
}
