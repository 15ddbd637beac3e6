// SPDX-License-Identifier: Apache-2.0
#include "phones/choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json/json_fields.h"

namespace hearth::phones {
namespace {

using base::ErrorCode;

constexpr std::array<std::string_view, 3> kAlerts{"none", "danger", "all"};

bool is_time(std::string_view text) {
  const auto digit = [&](std::size_t index) { return text[index] >= '0' && text[index] <= '9'; };
  if (text.size() != 5 || text[2] != ':' || !digit(0) || !digit(1) || !digit(3) || !digit(4)) return false;
  return text.substr(0, 2) < "24" && text.substr(3) < "60";
}

}  // namespace

bool Choice::is_quiet(std::string_view now) const {
  if (quiet_from.empty() || quiet_from == quiet_to) return false;
  return quiet_from < quiet_to ? now >= quiet_from && now < quiet_to : now >= quiet_from || now < quiet_to;
}

json::object to_json_object(const Choice& choice) {
  const auto or_null = [](const std::string& text) { return text.empty() ? json::value() : json::value(text); };
  return {{"alerts", kAlerts[static_cast<std::size_t>(choice.alerts)]},
          {"logins", choice.logins},
          {"quiet_from", or_null(choice.quiet_from)},
          {"quiet_to", or_null(choice.quiet_to)}};
}

base::Result<Choice> read_choice(const json::object& fields) {
  Choice choice;
  const auto alerts = std::ranges::find(kAlerts, base::text_view_at(fields, "alerts"));
  if (alerts == kAlerts.end()) return base::fail(ErrorCode::invalid, "alerts: expected none, danger or all");
  choice.alerts = static_cast<Choice::Alerts>(alerts - kAlerts.begin());
  const json::value& logins = base::value_at(fields, "logins");
  if (!logins.is_bool()) return base::fail(ErrorCode::invalid, "logins: expected true or false");
  choice.logins = logins.get_bool();
  for (const auto& [key, to] : {std::pair("quiet_from", &choice.quiet_from), std::pair("quiet_to", &choice.quiet_to)}) {
    const json::value& time = base::value_at(fields, key);
    if (time.is_null()) continue;
    if (!time.is_string() || !is_time(time.get_string()))
      return base::fail(ErrorCode::invalid, fmt::format("{}: expected a time such as 22:00", key));
    *to = std::string(time.get_string());
  }
  if (choice.quiet_from.empty() != choice.quiet_to.empty())
    return base::fail(ErrorCode::invalid, "quiet_from, quiet_to: expected both or neither");
  return choice;
}

}  // namespace hearth::phones
