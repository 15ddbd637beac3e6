// SPDX-License-Identifier: Apache-2.0
// A mutex and a condition that clang's thread-safety analysis can follow. Held for microseconds, never over I/O, a
// callback or a suspension.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace hearth::base {

class __attribute__((capability("mutex"))) Mutex {
 public:
  void lock() __attribute__((acquire_capability())) { mutex_.lock(); }
  void unlock() __attribute__((release_capability())) { mutex_.unlock(); }

 private:
  friend class Condition;
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

// What a thread waits for that holds the mutex: it is released meanwhile and held again afterwards. May wake without
// reason.
class Condition {
 public:
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

  void wait(Mutex& mutex) __attribute__((requires_capability(mutex))) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }
  void wait_for(Mutex& mutex, std::chrono::microseconds longest) __attribute__((requires_capability(mutex))) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    condition_.wait_for(lock, longest);
    lock.release();
  }

 private:
  std::condition_variable condition_;
};

}  // namespace hearth::base
