// SPDX-License-Identifier: Apache-2.0
// The words in which clients are told that the hub there does not answer as it should; see calls/refusal.h. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "integrations/home_assistant/session/news.h"
#include "net/http/http_message.h"

namespace hearth::integrations::home_assistant {

// `who`: home (Home Assistant).
base::Error too_much(std::string_view who);
base::Error is_wrong(std::string_view who, std::string_view what);
base::Error not_there(std::string_view who, std::string_view what);
// Of a request that came to no answer.
base::Error failed_request(std::string_view who, const net::Failure& failure);
// Of an answer that is not `done`: with its own code, whatever that is.
base::Error refused_command(std::string_view who, const Answer& answer);

}  // namespace hearth::integrations::home_assistant
