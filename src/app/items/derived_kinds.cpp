// SPDX-License-Identifier: Apache-2.0
#include "app/items/derived_kinds.h"

#include <fmt/format.h>

#include "derived/sensors/made_item.h"

namespace hearth::app {

DerivedKinds::DerivedKinds() : description_(base::to_json(derived::describe_platforms())) {}

base::Result<json::object> DerivedKinds::fields_of(std::string_view platform, const json::object& given,
                                                   const json::object* former) const {
  const derived::Platform* const known = derived::find_platform(platform);
  if (!known) return base::fail(base::ErrorCode::not_found, fmt::format("There are no sensors of {}.", platform));
  return derived::fields_of(*known, given, former);
}

}  // namespace hearth::app
