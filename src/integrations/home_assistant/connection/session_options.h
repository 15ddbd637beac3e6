// SPDX-License-Identifier: Apache-2.0
// The settings of a session. A value.
#pragma once

#include <set>
#include <string>

#include "core/values/secret.h"
#include "integrations/home_assistant/options/mirror_filter.h"

namespace hearth::integrations::home_assistant {

struct SessionOptions {
  core::Secret token;
  std::string language = "en";  // of the names of services
  MirrorFilter filter = {};
  std::set<std::string> receive = {};  // types of events; "*": all
  int max_updates = 20;
};

}  // namespace hearth::integrations::home_assistant
