// SPDX-License-Identifier: Apache-2.0
// A mutex and a condition variable for clang's thread-safety analysis. Held for microseconds, never over I/O, a
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
  friend class ConditionVariable;
  std::mutex mutex_;
};

class __attribute__((scoped_lockable)) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) __attribute__((acquire_capability(mutex))) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() __attribute__((release_capability())) { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// Waits on a Mutex. Wake-ups may be spurious: the caller checks its condition again.
class ConditionVariable {
 public:
  void notify_one() { changed_.notify_one(); }
  void notify_all() { changed_.notify_all(); }

  void wait(Mutex& mutex) __attribute__((requires_capability(mutex)));
  void wait_for(Mutex& mutex, std::chrono::microseconds time) __attribute__((requires_capability(mutex)));
  std::cv_status wait_until(Mutex& mutex, std::chrono::steady_clock::time_point time)
      __attribute__((requires_capability(mutex)));

 private:
  std::condition_variable changed_;
};

inline void ConditionVariable::wait(Mutex& mutex) {
  std::unique_lock lock(mutex.mutex_, std::adopt_lock);
  changed_.wait(lock);
  lock.release();
}

inline void ConditionVariable::wait_for(Mutex& mutex, std::chrono::microseconds time) {
  std::unique_lock lock(mutex.mutex_, std::adopt_lock);
  changed_.wait_for(lock, time);
  lock.release();
}

inline std::cv_status ConditionVariable::wait_until(Mutex& mutex, std::chrono::steady_clock::time_point time) {
  std::unique_lock lock(mutex.mutex_, std::adopt_lock);
  const std::cv_status status = changed_.wait_until(lock, time);
  lock.release();
  return status;
}

}  // namespace hearth::base
