// SPDX-License-Identifier: Apache-2.0
// Tells callbacks that are still queued that their owner is gone. A member of the owner. One thread.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

namespace hearth::net {

class Life {
  using Count = std::shared_ptr<std::uint64_t>;

 public:
  class Watch {
   public:
    bool over() const { return *count_ != began_; }

   private:
    friend class Life;
    explicit Watch(const Count& count) : count_(count), began_(*count) {}

    const Count count_;
    const std::uint64_t began_;
  };

  Life() = default;
  ~Life() { *count_ = std::numeric_limits<std::uint64_t>::max(); }
  Life(const Life&) = delete;
  Life& operator=(const Life&) = delete;

  Watch watch() const noexcept { return Watch(count_); }
  // A callable that calls `function` while this life lasts, and does nothing afterwards.
  template <class Function>
  auto guard(Function function) const {
    return [watch = watch(), function = std::move(function)]<class... Arguments>(Arguments&&... arguments) mutable {
      if (!watch.over()) function(std::forward<Arguments>(arguments)...);
    };
  }
  // Ends the present life and begins another one.
  void renew() noexcept { ++*count_; }

 private:
  const Count count_ = std::make_shared<std::uint64_t>(0);  // of lives
};

}  // namespace hearth::net
