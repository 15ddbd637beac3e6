// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "base/result.h"

namespace hearth::api {

// The hub elsewhere has gone since it was found. Any thread.
inline base::Error gone(std::string_view hub) {
  return {base::ErrorCode::unreachable, fmt::format("{} is not connected to this home any more.", hub)};
}

}  // namespace hearth::api
