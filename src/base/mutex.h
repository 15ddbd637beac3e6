// SPDX-License-Identifier: Apache-2.0
// A mutex that clang's thread-safety analysis can follow. Held for microseconds, never over I/O, a callback or a suspension.
#pragma once

#include <mutex>

namespace hearth::base {

class __attribute__((capability("mutex"))) Mutex {
 public:
  void lock() __attribute__((acquire_capability())) { mutex_.lock(); }
  void unlock() __attribute__((release_capability())) { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

class __attribute__((scoped_lockable)) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) __attribute__((acquire_capability(mutex))) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() __attribute__((release_capability())) { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  // For std::condition_variable_any, which unlocks while it waits.
  void lock() __attribute__((acquire_capability())) { mutex_.lock(); }
  void unlock() __attribute__((release_capability())) { mutex_.unlock(); }

 private:
  Mutex& mutex_;
};

}  // namespace hearth::base
