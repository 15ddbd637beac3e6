// SPDX-License-Identifier: Apache-2.0
// Published<T> holds the newest version of an immutable value. Readers on any thread take a handle without touching a
// cache line that another thread writes: each thread caches a handle and renews it only after a new version was
// published.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "base/threads/thread_slot.h"

namespace hearth::base {

template <class T>
class Published {
 public:
  using Handle = std::shared_ptr<const T>;

  explicit Published(Handle first) : newest_(std::move(first)) {}
  Published(const Published&) = delete;
  Published& operator=(const Published&) = delete;

  // Any thread. The newest version at some moment during the call, never older than the last `publish` that returned
  // before. The handle may be kept for any time, and passed to other threads.
  Handle load() const {
    const std::size_t index = ThreadSlot::index();
    if (index >= slots_.size()) {
      MutexLock lock(mutex_);
      return newest_;
    }
    Slot& slot = slots_[index];
    if (const std::uint64_t version = version_.load(std::memory_order_acquire); slot.version != version) renew(slot);
    return slot.handle;
  }

  // Any thread. As load, but the thread caches nothing: for writers, whose publish makes the version old at once.
  Handle load_once() const {
    MutexLock lock(mutex_);
    return newest_;
  }

  // Any thread. Drops the handle that this thread caches; otherwise that version lives until the thread loads again.
  void release() const {
    if (const std::size_t index = ThreadSlot::index(); index < slots_.size()) slots_[index] = Slot{};
  }

  // Any thread; callers that derive the new version from the old one hold a lock of their own around both.
  void publish(Handle next) {
    {
      MutexLock lock(mutex_);
      newest_.swap(next);
      version_.fetch_add(1, std::memory_order_release);
    }
    // `next`, now the old version, may be freed here, outside the lock.
  }

  // Increases by one with each publish.
  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

 private:
  struct alignas(64) Slot {
    std::uint64_t version = 0;
    Handle handle;
  };

  void renew(Slot& slot) const {
    // The cached handle gets its own control block, so that copying it writes only to a cache line of this thread.
    auto own = std::make_shared<Handle>();
    {
      MutexLock lock(mutex_);
      *own = newest_;
      slot.version = version_.load(std::memory_order_relaxed);
    }
    const T* value = own->get();
    slot.handle = Handle(std::move(own), value);
  }

  // Readers need this one cache line.
  alignas(64) std::atomic<std::uint64_t> version_{1};
  mutable std::vector<Slot> slots_ = std::vector<Slot>(ThreadSlot::count());  // one for each thread
  mutable Mutex mutex_;
  Handle newest_ __attribute__((guarded_by(mutex_)));
};

}  // namespace hearth::base
