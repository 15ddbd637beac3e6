// SPDX-License-Identifier: Apache-2.0
// A path to a part of a JSON value: `$.a.b[0]`, with names also as ['a b']; wildcards and filters are not known.
// Immutable; any thread.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::building_blocks {

class JsonPath {
 public:
  static constexpr std::size_t kMaxSteps = 64;

  // Fails with invalid; the message says at which byte.
  static base::Result<JsonPath> parse(std::string_view text);

  // The part of the value; null if it has none there.
  const json::value* find(const json::value& value) const;

 private:
  using Step = std::variant<std::string, std::int64_t>;  // a name, or an index, negative from the end

  std::vector<Step> steps_;
};

}  // namespace hearth::building_blocks
