// SPDX-License-Identifier: Apache-2.0
// Preloaded into a hub (LD_PRELOAD), this makes its machine worse. Environment variables say how:
//
// HEARTH_TEST_CLOCK      a file with a number of seconds, 8 bytes: the wall clock is so far off; a test changes it
//                        while the hub runs
// HEARTH_TEST_NO_LOCKS   set: no file can be locked, as on some network file systems
// HEARTH_TEST_KILL_AT    a number: the process is killed (SIGKILL) before its so-manieth change of the disk
// HEARTH_TEST_CHANGES    a file into which that number is written, 8 bytes, as it grows
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile const int64_t *clock_offset;
static _Atomic int64_t *changes;
static int64_t kill_at;
static int no_locks;

static void *shared(const char *name, int flags, int protection) {
  const char *const path = getenv(name);
  if (!path) return NULL;
  const int file = (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600);
  if (file < 0) abort();
  void *const found = mmap(NULL, 8, protection, MAP_SHARED, file, 0);
  close(file);
  if (found == MAP_FAILED) abort();
  return found;
}

__attribute__((constructor)) static void read_environment(void) {
  clock_offset = shared("HEARTH_TEST_CLOCK", O_RDONLY, PROT_READ);
  changes = shared("HEARTH_TEST_CHANGES", O_RDWR, PROT_READ | PROT_WRITE);
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

// Those of 64 bits are other names of the same calls here.
#define CHANGE(type, name, number, parameters, ...) \
  type name parameters {                            \
    count_change();                                 \
    return (type)syscall(number, __VA_ARGS__);      \
  }

CHANGE(ssize_t, pwrite64, SYS_pwrite64, (int file, const void *bytes, size_t size, off_t at), file, bytes, size, at)
CHANGE(ssize_t, pwrite, SYS_pwrite64, (int file, const void *bytes, size_t size, off_t at), file, bytes, size, at)
CHANGE(int, ftruncate64, SYS_ftruncate, (int file, off_t size), file, size)
CHANGE(int, ftruncate, SYS_ftruncate, (int file, off_t size), file, size)
CHANGE(int, fsync, SYS_fsync, (int file), file)
CHANGE(int, fdatasync, SYS_fdatasync, (int file), file)
CHANGE(int, unlink, SYS_unlink, (const char *path), path)
CHANGE(int, rename, SYS_rename, (const char *from, const char *to), from, to)
CHANGE(int, link, SYS_link, (const char *from, const char *to), from, to)
CHANGE(int, mkdir, SYS_mkdir, (const char *path, mode_t mode), path, mode)
CHANGE(ssize_t, copy_file_range, SYS_copy_file_range,
       (int from, off_t *from_at, int to, off_t *to_at, size_t size, unsigned int flags), from, from_at, to, to_at, size,
       flags)

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
