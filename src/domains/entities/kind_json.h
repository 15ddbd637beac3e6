// SPDX-License-Identifier: Apache-2.0
// Kinds for programs outside the hub: pages draw cards from them, docs/domains.md is generated from them. Any thread.
#pragma once

#include "base/json/json.h"
#include "domains/entities/kind.h"

namespace hearth::domains {

// {"domain":…,"description":…,"value":…,"on":…,"off":…,"features":[…],"attributes":[…],"actions":[…]}; keys that do not
// apply are left out. docs/websocket.md describes it.
json::object to_json_object(const Kind& kind);

// All of them, by domain.
json::array kinds_json();

}  // namespace hearth::domains
