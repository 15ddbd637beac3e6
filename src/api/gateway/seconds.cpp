// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/seconds.h"

#include <fmt/format.h>

#include <iterator>

namespace hearth::api {

void append_seconds(std::string& out, base::Timestamp time) {
  const auto microseconds = time.time_since_epoch().count();
  const auto magnitude =
      microseconds < 0 ? 0 - static_cast<std::uint64_t>(microseconds) : static_cast<std::uint64_t>(microseconds);
  fmt::format_to(std::back_inserter(out), "{}{}.{:06}", microseconds < 0 ? "-" : "", magnitude / 1'000'000,
                 magnitude % 1'000'000);
  while (out.ends_with('0') && !out.ends_with(".0")) out.pop_back();
}

}  // namespace hearth::api
