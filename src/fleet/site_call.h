// SPDX-License-Identifier: Apache-2.0
// A portal's question to a site and the site's answer, as JSON. Any thread; pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "core/bus/context.h"
#include "core/rights/rights.h"
#include "core/services/service_call.h"
#include "core/states/state.h"

namespace hearth::fleet {

// A service for entities of the site. A call with a key that was answered already has the same answer, and is not made
// again.
struct SiteCall {
  std::string key;
  std::string user;                    // who calls at the portal, for the log
  core::Role role = core::Role::user;  // a user or a reader there; never more here
  std::string pin = {};                // that they gave; empty: none
  core::Context context = {};          // the portal's: the site's changes have it, too
  base::Duration within{};             // it is not made later than this after it was sent
  base::Duration wait{};               // as in core::ServiceRequest
  std::string domain, service;
  std::vector<std::string> entity_ids = {};
  json::object data = {};
  bool return_response = false;
};
// The part of the log after a number up to another, again.
struct Resend {
  std::string epoch;
  std::int64_t after = 0, until = 0;
};
struct SendSnapshot {};

using SiteRequest = std::variant<SiteCall, Resend, SendSnapshot>;

std::string encode_request(const SiteRequest& request);
// Fails with invalid, with unsupported for what a newer portal asks.
base::Result<SiteRequest> decode_request(std::string_view text);

// A state that a call has changed; its entity id is the site's.
struct ChangedState {
  std::string entity_id, value, attributes_json;
  core::State::Times times = {};
  core::Context context = {};
};
struct SiteAnswer {
  std::vector<ChangedState> changed;
  json::value response;
};

std::string encode_answer(const base::Result<core::CallOutcome>& outcome);
// The site's failure, or invalid if it is no answer.
base::Result<SiteAnswer> decode_answer(std::string_view text);

}  // namespace hearth::fleet
