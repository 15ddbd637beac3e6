// SPDX-License-Identifier: Apache-2.0
// A message for people, and what becomes of it. Values; any thread.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::building_blocks {

struct Message {
  static constexpr std::size_t kMaxText = 64 * 1024;  // bytes of the text, and of the title
  static constexpr std::size_t kMaxData = 64 * 1024;  // bytes of `data` as JSON
  static constexpr std::size_t kMaxTargets = 32;

  std::string text, title;
  std::vector<std::string> targets = {};  // whom it is for, if the way out knows several
  json::object data = {};                 // what else the way out knows
};

struct Undelivered {
  base::ErrorCode code = base::ErrorCode::unavailable;
  std::string why;        // for the caller and the log
  bool may_pass = false;  // another try may succeed
};
using Delivery = std::expected<void, Undelivered>;

}  // namespace hearth::building_blocks
