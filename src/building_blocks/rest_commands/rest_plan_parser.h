// SPDX-License-Identifier: Apache-2.0
// Reads `rest_command:`, names with a request each. Any thread.
#pragma once

#include <memory>
#include <string_view>

#include "automation/items/sections.h"
#include "building_blocks/http/request_plan.h"
#include "building_blocks/named_services.h"
#include "configured/section.h"

namespace hearth::building_blocks {

constexpr std::string_view kRestCommand = "rest_command";

// Immutable.
struct RestPlan : ServicePlan {
  static constexpr std::size_t kMaxBytes = 64 * 1024;  // of all that is written

  RequestPlan request;
  bool allow_template_host = false;  // the fields of a call may say to which host it goes
};

using RestConfiguration = configured::Section<std::shared_ptr<const RestPlan>>;

RestConfiguration parse_rest_commands(const automation::Sections& sections);

}  // namespace hearth::building_blocks
