// SPDX-License-Identifier: Apache-2.0
// The messages that somebody wants on their phones and browsers. A value; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::phones {

struct Choice {
  enum class Alerts { none, danger, all };

  Alerts alerts = Alerts::danger;
  bool logins = true;           // failed ones; of an administrator
  std::string quiet_from = {};  // 22:00; empty: no quiet hours
  std::string quiet_to = {};

  // `now`: 22:30, of the home's clocks.
  bool is_quiet(std::string_view now) const;
  bool operator==(const Choice&) const = default;
};

json::object to_json_object(const Choice& choice);
// Fails with invalid.
base::Result<Choice> read_choice(const json::object& fields);

}  // namespace hearth::phones
