// SPDX-License-Identifier: Apache-2.0
// The sensors that people can make of other entities, as commands see them. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::api {

class DerivedKinds {
 public:
  virtual ~DerivedKinds() = default;

  // The fields of a new item of the platform, or of one with `former` after a change that names some. Fails with
  // invalid; each line of the message names the field.
  virtual base::Result<json::object> fields_of(std::string_view platform, const json::object& given,
                                               const json::object* former) const = 0;
  // By platform, what its fields may be, as JSON.
  virtual const std::string& description() const = 0;
};

}  // namespace hearth::api
