// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/pattern.h"

#include "template/language/regex.h"
#include "template/values/failure.h"

namespace hearth::integrations::mqtt {

bool is_pattern(std::string_view pattern) {
  try {
    return templates::Regex::of(pattern, false) != nullptr;
  } catch (const templates::Failure&) {
    return false;
  }
}

bool matches(std::string_view pattern, std::string_view text) {
  try {
    return templates::Regex::of(pattern, false)->match(text, true).has_value();
  } catch (const templates::Failure&) {
    return false;
  }
}

}  // namespace hearth::integrations::mqtt
