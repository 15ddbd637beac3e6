// SPDX-License-Identifier: Apache-2.0
// Passes items from many threads to one other thread, in order. Putting the first item posts one task to that thread,
// which takes all items.
//
// Bounds: items and their bytes. Items beyond either are lost, and the next batch says so.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/mutex.h"

namespace hearth::core {

template <class T>
class Inbox {
 public:
  Inbox(std::size_t max_items, std::size_t max_bytes) : max_items_(max_items), max_bytes_(max_bytes) {}

  // Any thread. `post` must make the other thread call drain soon; it is called for the first item after a drain,
  // without the lock. If it throws, the next item calls it again.
  template <class Post>
  void put(T item, std::size_t bytes, const Post& post) {
    if (add(std::move(item), bytes)) try_post(post);
  }
  // Any thread. An item could not be made, so that it counts as lost.
  template <class Post>
  void lose(const Post& post) {
    if (mark_lost()) try_post(post);
  }

  // The items taken; they belong to the taker, even if it throws.
  struct Batch {
    std::vector<T> items;
    bool lost = false;  // items put after these are missing
  };
  // The other thread only.
  Batch drain() {
    Batch batch{std::exchange(spare_, {})};
    base::MutexLock lock(mutex_);
    batch.items.swap(items_);
    bytes_ = 0;
    posted_ = false;
    batch.lost = std::exchange(lost_, false);
    return batch;
  }
  // The other thread only. Keeps the batch's memory for the next one, unless it is much.
  void recycle(Batch batch) {
    batch.items.clear();
    if (batch.items.capacity() <= kKept) spare_ = std::move(batch.items);
  }

 private:
  static constexpr std::size_t kKept = 1024;

  // True if nobody has posted for it yet.
  bool add(T&& item, std::size_t bytes) {
    base::MutexLock lock(mutex_);
    try {
      lost_ = lost_ || items_.size() >= max_items_ || bytes_ >= max_bytes_;
      if (!lost_) items_.push_back(std::move(item));
    } catch (...) {
      lost_ = true;
    }
    bytes_ += bytes;
    return !std::exchange(posted_, true);
  }
  bool mark_lost() {
    base::MutexLock lock(mutex_);
    lost_ = true;
    return !std::exchange(posted_, true);
  }
  template <class Post>
  void try_post(const Post& post) {
    try {
      post();
    } catch (...) {
      base::MutexLock lock(mutex_);
      posted_ = false;
    }
  }

  const std::size_t max_items_, max_bytes_;
  std::vector<T> spare_;  // empty; used by the other thread only

  base::Mutex mutex_;
  std::vector<T> items_ __attribute__((guarded_by(mutex_)));
  std::size_t bytes_ __attribute__((guarded_by(mutex_))) = 0;
  bool posted_ __attribute__((guarded_by(mutex_))) = false;
  bool lost_ __attribute__((guarded_by(mutex_))) = false;
};

}  // namespace hearth::core
