// SPDX-License-Identifier: Apache-2.0
// `rest:`, and the platform rest of sensors, binary sensors and switches: entities that other servers feed. Any thread.
#pragma once

#include <string_view>

#include "building_blocks/http/request_plan.h"
#include "building_blocks/polled/plan_reader.h"

namespace hearth::building_blocks {

constexpr std::string_view kRest = "rest";

void read_rest(const automation::Sections& sections, PlanReader& reader);

// For `scrape`, which asks in the same way.
struct Resource {
  RequestPlan request;
  std::string encoding = "utf-8";  // of an answer that does not name its own
};
// resource, resource_template, method, payload, payload_template, headers, params, username, password, authentication,
// verify_ssl, timeout, encoding.
Resource read_resource(base::ConfigReader& in);

}  // namespace hearth::building_blocks
