// SPDX-License-Identifier: Apache-2.0
// The bytes of bodies and messages that are coming in, of all connections together: counted as they come, not as they
// are promised. Any thread, without a lock.
#pragma once

#include <atomic>
#include <cstddef>

namespace hearth::http {

class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t limit) : limit_(limit) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  std::size_t used() const { return used_.load(std::memory_order_relaxed); }

  // What one connection has of it; given back at the latest when it is destroyed. One thread at a time.
  class Share {
   public:
    explicit Share(MemoryBudget& budget) : budget_(budget) {}
    ~Share() { resize(0); }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    std::size_t size() const { return size_; }
    // False, and nothing has changed, if that is more than there is left: the newest is refused.
    bool resize(std::size_t size);

   private:
    MemoryBudget& budget_;
    std::size_t size_ = 0;
  };

 private:
  const std::size_t limit_;
  std::atomic<std::size_t> used_{0};
};

inline bool MemoryBudget::Share::resize(std::size_t size) {
  if (size <= size_) {
    if (size < size_) budget_.used_.fetch_sub(size_ - size, std::memory_order_relaxed);
    size_ = size;
    return true;
  }
  const std::size_t more = size - size_;
  if (budget_.used_.fetch_add(more, std::memory_order_relaxed) + more > budget_.limit_) {
    budget_.used_.fetch_sub(more, std::memory_order_relaxed);
    return false;
  }
  size_ = size;
  return true;
}

}  // namespace hearth::http
