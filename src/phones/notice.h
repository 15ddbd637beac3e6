// SPDX-License-Identifier: Apache-2.0
// Something that people are told. A value; any thread.
#pragma once

#include <string>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::phones {

struct Notice {
  static constexpr std::size_t kMaxText = 8'192;   // bytes of the message
  static constexpr std::size_t kMaxTitle = 255;    // … of the title
  static constexpr std::size_t kMaxData = 16'384;  // … of the JSON of the data
  static constexpr std::size_t kMaxActions = 10;

  std::string title, message;
  // Fields that apps know, such as `tag`, `actions` and `url`.
  json::object data = {};

  std::string tag() const;  // one of the same tag takes its place; empty: none
};

// Of the fields of a service call. Fails with invalid.
base::Result<Notice> read_notice(const json::object& fields);

}  // namespace hearth::phones
