// SPDX-License-Identifier: Apache-2.0
// A budget for the bytes of bodies and messages being received, shared by all connections: counts bytes received, not
// announced. Any thread, lock-free.
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

  // The share of one connection, returned at destruction at the latest. One thread at a time.
  class Share {
   public:
    explicit Share(MemoryBudget& budget) : budget_(budget) {}
    ~Share() { resize(0); }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    std::size_t size() const { return size_; }
    // False, with nothing changed, if the budget does not allow it: the newest request is refused.
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
