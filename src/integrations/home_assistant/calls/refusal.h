// SPDX-License-Identifier: Apache-2.0
// The failure of a command there, as the caller here learns it. Any thread; pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "integrations/home_assistant/session/news.h"

namespace hearth::integrations::home_assistant {

// `hub` for people: home (Home Assistant).
base::Error unreachable_error(std::string_view hub);
// REQUIRES: `answer` is none that is done.
base::Error refusal_of(const Answer& answer, std::string_view hub);

}  // namespace hearth::integrations::home_assistant
