// SPDX-License-Identifier: Apache-2.0
// A device that announces itself in the network. Values; any thread.
#pragma once

#include <map>
#include <string>

#include "base/json/json.h"

namespace hearth::domains {

struct Discovered {
  std::string unique_id;                                 // the device's, within its integration
  std::string title;                                     // for people, from a stranger: text only
  json::object data = {};                                // host, port and the like
  std::map<std::string, std::string> placeholders = {};  // as those of a form of a flow
};

}  // namespace hearth::domains
