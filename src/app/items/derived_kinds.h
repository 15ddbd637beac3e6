// SPDX-License-Identifier: Apache-2.0
// Describes the keys of each platform of derived sensors, for the commands that make such sensors. Any thread.
#pragma once

#include "api/registry/derived_kinds.h"

namespace hearth::app {

class DerivedKinds final : public api::DerivedKinds {
 public:
  DerivedKinds();

  base::Result<json::object> fields_of(std::string_view platform, const json::object& given,
                                       const json::object* former) const override;
  const std::string& description() const override { return description_; }

 private:
  const std::string description_;
};

}  // namespace hearth::app
