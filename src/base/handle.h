// SPDX-License-Identifier: Apache-2.0
// Ends something when destroyed: a subscription, a registration, a callback. On the thread that would call it, also
// within that call, nothing is called afterwards. Move-only.
#pragma once

#include <functional>
#include <utility>

namespace hearth::base {

class [[nodiscard]] Handle {
 public:
  Handle() = default;
  explicit Handle(std::function<void()> end) : end_(std::move(end)) {}
  Handle(Handle&& other) noexcept : end_(std::exchange(other.end_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      if (end_) end_();
      end_ = std::exchange(other.end_, nullptr);
    }
    return *this;
  }
  ~Handle() {
    if (end_) end_();
  }

  explicit operator bool() const { return end_ != nullptr; }

 private:
  std::function<void()> end_;
};

}  // namespace hearth::base
