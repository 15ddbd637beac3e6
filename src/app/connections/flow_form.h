// SPDX-License-Identifier: Apache-2.0
// Forms of flows as clients of this family know them, and the answers to them. Any thread.
#pragma once

#include <string_view>

#include "base/json/json.h"
#include "base/result.h"
#include "domains/connection_flow.h"

namespace hearth::app {

json::object form_json(std::string_view flow_id, std::string_view handler, const domains::FlowForm& form);
json::object abort_json(std::string_view flow_id, std::string_view handler, std::string_view reason);

// The answers with the defaults of what they leave out. Fails with invalid; the message names the field.
base::Result<json::object> answers_to(const domains::FlowForm& form, json::object given);

}  // namespace hearth::app
