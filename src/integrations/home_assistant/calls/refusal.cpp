// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/calls/refusal.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json/json_fields.h"
#include "base/text/utf8.h"

namespace hearth::integrations::home_assistant {
namespace {

using base::ErrorCode;

constexpr std::size_t kMaxWords = 2'048;  // bytes of the message
constexpr std::size_t kMaxPlaceholders = 50;

struct Code {
  std::string_view there;
  ErrorCode here;
};
constexpr Code kCodes[] = {
    {"not_found", ErrorCode::not_found},
    {"invalid_format", ErrorCode::invalid},
    {"service_validation_error", ErrorCode::invalid},
    {"home_assistant_error", ErrorCode::failed_elsewhere},
    {"unauthorized", ErrorCode::forbidden},
};

}  // namespace

base::Error unreachable_error(std::string_view hub) {
  return {ErrorCode::unreachable, fmt::format("{} cannot be reached.", hub)};
}

base::Error refusal_of(const Answer& answer, std::string_view hub) {
  switch (answer.outcome) {
    case Answer::Outcome::unreachable:
      return unreachable_error(hub);
    case Answer::Outcome::unknown:
      return {ErrorCode::unreachable,
              fmt::format("{} cannot be reached any more; it is not known whether it was done.", hub)};
    case Answer::Outcome::late:
      return {ErrorCode::unreachable,
              fmt::format("{} has not answered in time; it is not known whether it was done.", hub)};
    case Answer::Outcome::done:
    case Answer::Outcome::refused:
      break;
  }
  const json::object& error = answer.error;
  const std::string code = base::short_text_at(error, "code");
  const auto known = std::ranges::find(kCodes, std::string_view(code), &Code::there);
  std::string words = base::text_at(error, "message", kMaxWords);
  if (words.empty()) words = code.empty() ? "that it failed" : code;
  base::SaidElsewhere said{.code = known == std::end(kCodes) ? "home_assistant_error" : code,
                           .domain = base::short_text_at(error, "translation_domain"),
                           .key = base::short_text_at(error, "translation_key")};
  if (const json::object* const given = base::value_at(error, "translation_placeholders").if_object()) {
    for (const auto& [name, value] : *given) {
      if (said.placeholders.size() >= kMaxPlaceholders) break;
      said.placeholders.emplace_back(base::utf8_excerpt(name),
                                     value.is_string() ? base::utf8_excerpt(std::string_view(value.get_string()))
                                                       : base::utf8_excerpt(base::to_json(value)));
    }
  }
  return {known == std::end(kCodes) ? ErrorCode::failed_elsewhere : known->here, fmt::format("{} says: {}", hub, words),
          std::make_shared<const base::SaidElsewhere>(std::move(said))};
}

}  // namespace hearth::integrations::home_assistant
