// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/media/refusals.h"

#include <fmt/format.h>

#include "base/json/json_fields.h"
#include "integrations/home_assistant/calls/refusal.h"

namespace hearth::integrations::home_assistant {

base::Error too_much(std::string_view who) {
  return {base::ErrorCode::unavailable, fmt::format("{} is asked for too much at a time; try again in a moment.", who)};
}

base::Error is_wrong(std::string_view who, std::string_view what) {
  return {base::ErrorCode::failed_elsewhere, fmt::format("{} {}.", who, what)};
}

base::Error not_there(std::string_view who, std::string_view what) {
  return {base::ErrorCode::not_found, fmt::format("{} {}.", who, what)};
}

base::Error failed_request(std::string_view who, const net::Failure& failure) {
  if (failure.reason == net::Reason::busy) return too_much(who);
  return {base::ErrorCode::failed_elsewhere, fmt::format("{}: {}.", who, failure.message)};
}

base::Error refused_command(std::string_view who, const Answer& answer) {
  base::Error error = refusal_of(answer, who);
  const std::string code = base::short_text_at(answer.error, "code");
  if (error.said && !code.empty()) {
    base::SaidElsewhere said = *error.said;
    said.code = code;
    error.said = std::make_shared<const base::SaidElsewhere>(std::move(said));
  }
  return error;
}

}  // namespace hearth::integrations::home_assistant
