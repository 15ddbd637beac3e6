// SPDX-License-Identifier: Apache-2.0
// What goes from here to one hub there and back, beside states: calls, contexts, events, delegated triggers. Bus thread
// only.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/hub.h"
#include "integrations/home_assistant/mirror/context_source.h"
#include "integrations/home_assistant/mirror/mirrored_ids.h"
#include "integrations/home_assistant/options/options.h"
#include "integrations/home_assistant/session/requests.h"

namespace hearth::integrations::home_assistant {

// The parts that these use. All must outlive them.
struct CallsHome {
  core::Hub& hub;
  Requests& requests;
  const MirroredIds& ids;
  const Options& options;
  // Says if there is a user of that id here; null: there is none.
  std::function<bool(std::string_view user_id)> knows_user = {};
  // Called with true if the token may not do what the section asks for (events, delegated triggers), with false once it
  // may.
  std::function<void(bool missing)> rights_missing = {};
};

}  // namespace hearth::integrations::home_assistant
