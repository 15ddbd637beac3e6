// SPDX-License-Identifier: Apache-2.0
// Kinds as programs outside the hub read them: pages draw cards from it, docs/domains.md is made of it. Any thread.
#pragma once

#include "base/json.h"
#include "domains/kind.h"

namespace hearth::domains {

// {"domain":…,"description":…,"value":…,"on":…,"off":…,"features":[…],"attributes":[…],"actions":[…]}; what does not
// apply is left out. docs/websocket.md describes it.
json::object to_json_object(const Kind& kind);

// All of them, by domain.
json::array kinds_json();

}  // namespace hearth::domains
