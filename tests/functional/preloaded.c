// SPDX-License-Identifier: Apache-2.0
// Preloaded into a hub (LD_PRELOAD), this makes its machine worse. Environment variables say how:
//
// HEARTH_TEST_CLOCK      a file with a number of seconds, 8 bytes: the wall clock is so far off; a test changes it
//                        while the hub runs
// HEARTH_TEST_NO_LOCKS   set: no file can be locked, as on some network file systems
// HEARTH_TEST_KILL_AT    a number: the process is killed (SIGKILL) before its so-manieth change of the disk
// HEARTH_TEST_CHANGES    a file into which that number is written, 8 bytes, as it grows
// HEARTH_TEST_FAULTS     a file of a `struct faults`, which a test changes while the hub runs: calls that fail, by file
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// Kinds of calls, as bits. worse_machine.py has the same, and the same layout of what follows.
enum { WRITE = 1, SYNC = 2, TRUNCATE = 4, RENAME = 8, UNLINK = 16, MAKE = 32 };

// Calls of these kinds fail for files with `part` in their path, at its end if it ends with $. A writer sets `calls` last,
// and to 0 first.
struct rule {
  _Atomic int32_t calls;
  int32_t error;  // errno; 0: a write takes half of the bytes only, without an error
  _Atomic int64_t times;
  char part[112];
};

struct faults {
  struct rule rules[8];
  _Atomic int64_t names_hang;  // not 0: no host is found until it is 0 again
  _Atomic int64_t names_asked;  // meanwhile
};

static volatile const int64_t *clock_offset;
static struct faults *faults;
static _Atomic int64_t *changes;
static int64_t kill_at;
static int no_locks;

static void *shared(const char *name, int flags, int protection, size_t size) {
  const char *const path = getenv(name);
  if (!path) return NULL;
  const int file = (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600);
  if (file < 0) abort();
  void *const found = mmap(NULL, size, protection, MAP_SHARED, file, 0);
  close(file);
  if (found == MAP_FAILED) abort();
  return found;
}

__attribute__((constructor)) static void read_environment(void) {
  clock_offset = shared("HEARTH_TEST_CLOCK", O_RDONLY, PROT_READ, 8);
  changes = shared("HEARTH_TEST_CHANGES", O_RDWR, PROT_READ | PROT_WRITE, 8);
  faults = shared("HEARTH_TEST_FAULTS", O_RDWR, PROT_READ | PROT_WRITE, sizeof *faults);
  kill_at = getenv("HEARTH_TEST_KILL_AT") ? atoll(getenv("HEARTH_TEST_KILL_AT")) : 0;
  no_locks = getenv("HEARTH_TEST_NO_LOCKS") != NULL;
}

int clock_gettime(clockid_t id, struct timespec *time) {
  const int done = (int)syscall(SYS_clock_gettime, id, time);
  if (done == 0 && clock_offset && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) time->tv_sec += *clock_offset;
  return done;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(struct timeval *result, void *zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  result->tv_sec = now.tv_sec;
  result->tv_usec = now.tv_nsec / 1000;
  return 0;
}

static void count_change(void) {
  static _Atomic int64_t own;
  const int64_t number = atomic_fetch_add(&own, 1) + 1;
  if (changes) atomic_store(changes, number);
  if (number == kill_at) kill(getpid(), SIGKILL);
}

static int matches(const char *part, const char *path) {
  const size_t size = strlen(part), of_path = strlen(path);
  if (size == 0 || part[size - 1] != '$') return strstr(path, part) != NULL;
  return of_path >= size - 1 && memcmp(path + of_path - (size - 1), part, size - 1) == 0;
}

// The rule for a call on a file of that path, or NULL. Keeps errno.
static struct rule *rule_for(int kind, const char *path) {
  for (struct rule *rule = faults->rules; rule < faults->rules + 8; ++rule) {
    if ((atomic_load(&rule->calls) & kind) == 0 || !matches(rule->part, path)) continue;
    atomic_fetch_add(&rule->times, 1);
    return rule;
  }
  return NULL;
}

static struct rule *rule_for_file(int kind, int file) {
  if (!faults) return NULL;
  int32_t kinds = 0;
  for (int i = 0; i < 8; ++i) kinds |= atomic_load(&faults->rules[i].calls);
  if ((kinds & kind) == 0) return NULL;
  char link[32] = "/proc/self/fd/", path[4096], digits[12];
  int count = 0;
  for (unsigned left = (unsigned)file; count == 0 || left > 0; left /= 10) digits[count++] = (char)('0' + left % 10);
  for (int i = 0; i < count; ++i) link[14 + i] = digits[count - 1 - i];
  link[14 + count] = '\0';
  const int before = errno;
  const long size = syscall(SYS_readlink, link, path, sizeof path - 1);
  errno = before;
  if (size < 0) return NULL;
  path[size] = '\0';
  return rule_for(kind, path);
}

static struct rule *rule_for_path(int kind, const char *path) {
  return faults && path ? rule_for(kind, path) : NULL;
}

static int fail(const struct rule *rule) {
  errno = rule->error;
  return -1;
}

// Those of 64 bits are other names of the same calls here.
#define CHANGE(type, name, number, failing, parameters, ...) \
  type name parameters {                                     \
    const struct rule *const rule = failing;                 \
    if (rule) return fail(rule);                             \
    count_change();                                          \
    return (type)syscall(number, __VA_ARGS__);               \
  }
// A short write takes at least one byte: nobody expects none.
#define WRITE_CALL(name, number, parameters, ...)                        \
  ssize_t name parameters {                                              \
    const struct rule *const rule = rule_for_file(WRITE, file);          \
    if (rule && rule->error) return fail(rule);                          \
    if (rule && size > 1) size /= 2;                                     \
    count_change();                                                      \
    return (ssize_t)syscall(number, __VA_ARGS__);                        \
  }

WRITE_CALL(pwrite64, SYS_pwrite64, (int file, const void *bytes, size_t size, off_t at), file, bytes, size, at)
WRITE_CALL(pwrite, SYS_pwrite64, (int file, const void *bytes, size_t size, off_t at), file, bytes, size, at)
CHANGE(int, ftruncate64, SYS_ftruncate, rule_for_file(TRUNCATE, file), (int file, off_t size), file, size)
CHANGE(int, ftruncate, SYS_ftruncate, rule_for_file(TRUNCATE, file), (int file, off_t size), file, size)
CHANGE(int, fsync, SYS_fsync, rule_for_file(SYNC, file), (int file), file)
CHANGE(int, fdatasync, SYS_fdatasync, rule_for_file(SYNC, file), (int file), file)
CHANGE(int, unlink, SYS_unlink, rule_for_path(UNLINK, path), (const char *path), path)
CHANGE(int, rename, SYS_rename, rule_for_path(RENAME, to), (const char *from, const char *to), from, to)
CHANGE(int, link, SYS_link, rule_for_path(RENAME, to), (const char *from, const char *to), from, to)
CHANGE(int, mkdir, SYS_mkdir, rule_for_path(MAKE, path), (const char *path, mode_t mode), path, mode)
CHANGE(ssize_t, copy_file_range, SYS_copy_file_range, rule_for_file(WRITE, to),
       (int from, off_t *from_at, int to, off_t *to_at, size_t size, unsigned int flags), from, from_at, to, to_at, size,
       flags)

// Not counted as changes of the disk: most are of sockets and of the log.
ssize_t write(int file, const void *bytes, size_t size) {
  const struct rule *const rule = rule_for_file(WRITE, file);
  if (rule && rule->error) return fail(rule);
  return (ssize_t)syscall(SYS_write, file, bytes, rule && size > 1 ? size / 2 : size);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  const struct rule *const rule = rule_for_file(WRITE, file);
  if (rule && rule->error) return fail(rule);
  return (ssize_t)syscall(SYS_writev, file, parts, rule && count > 1 ? count / 2 : count);
}

int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  typedef int Next(const char *, const char *, const struct addrinfo *, struct addrinfo **);
  static Next *_Atomic next;
  if (!next) next = (Next *)dlsym(RTLD_NEXT, "getaddrinfo");
  const struct timespec pause = {0, 20000000};
  if (faults && host && atomic_load(&faults->names_hang)) {
    atomic_fetch_add(&faults->names_asked, 1);
    while (atomic_load(&faults->names_hang)) nanosleep(&pause, NULL);
  }
  return next(host, service, hints, found);
}

static int is_lock(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_GETLK || command == F_OFD_SETLK ||
         command == F_OFD_SETLKW || command == F_OFD_GETLK;
}

static int control(int file, int command, void *argument) {
  if (no_locks && is_lock(command)) {
    errno = ENOLCK;
    return -1;
  }
  return (int)syscall(SYS_fcntl, file, command, argument);
}

int fcntl(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *const argument = va_arg(rest, void *);
  va_end(rest);
  return control(file, command, argument);
}

int fcntl64(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *const argument = va_arg(rest, void *);
  va_end(rest);
  return control(file, command, argument);
}

int flock(int file, int command) {
  if (no_locks) {
    errno = ENOLCK;
    return -1;
  }
  return (int)syscall(SYS_flock, file, command);
}
