// SPDX-License-Identifier: Apache-2.0
#include "base/threads/thread_slot.h"

#include <vector>

#include "base/mutex.h"

namespace hearth::base {
namespace {

struct Taken {
  Mutex mutex;
  std::vector<bool> slots __attribute__((guarded_by(mutex))) = std::vector<bool>(ThreadSlot::count());
};

Taken& taken() {
  // Never destroyed: threads may end after static destructors have run.
  static auto& instance = *new Taken;
  return instance;
}

}  // namespace

// The mutex also orders one thread's use of a slot before that of the next thread.
ThreadSlot::ThreadSlot() : index_(count()) {
  Taken& all = taken();
  MutexLock lock(all.mutex);
  for (std::size_t i = 0; i < all.slots.size(); ++i) {
    if (all.slots[i]) continue;
    all.slots[i] = true;
    index_ = i;
    return;
  }
}

ThreadSlot::~ThreadSlot() {
  if (index_ == count()) return;
  Taken& all = taken();
  MutexLock lock(all.mutex);
  all.slots[index_] = false;
}

}  // namespace hearth::base
