// SPDX-License-Identifier: Apache-2.0
// Logs a failure that may last when it begins, then once an hour, and its end. One thread at a time.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace hearth::auth {

class LastingFailure {
 public:
  static constexpr std::chrono::hours kAgain{1};

  // `healed`: the line for its end; it must outlive this.
  explicit LastingFailure(std::string_view healed) : healed_(healed) {}

  // The outcome of one try.
  void note(const base::Result<void>& tried, base::SteadyTime now);

 private:
  const std::string_view healed_;
  std::optional<base::SteadyTime> said_;  // null: it works
};

}  // namespace hearth::auth
