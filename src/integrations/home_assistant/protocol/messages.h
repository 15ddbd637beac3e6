// SPDX-License-Identifier: Apache-2.0
// Messages of the WebSocket of Home Assistant: commands as texts, and texts taken apart. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "integrations/home_assistant/options/mirror_filter.h"
#include "integrations/home_assistant/session/news.h"

namespace hearth::integrations::home_assistant {

// A command with its number; `id` among its fields is replaced.
std::string command_text(std::uint64_t id, json::object command);
std::string auth_text(std::string_view token);

// A message that has come; the texts are parts of it, and gone with it.
struct Incoming {
  enum class Kind { auth_required, auth_ok, auth_invalid, result, event, pong, unknown };
  Kind kind = Kind::unknown;
  std::uint64_t id = 0;
  bool success = false;
  std::string_view result = "null", error = {}, event = {};
  std::string_view type = {}, version = {}, message = {};  // with their quotes
};

// Calls `take` with each message of the text, which is one or an array of them, until it returns false. False if the
// text is neither; `take` may have been called for those before the break.
bool read_messages(std::string_view text, const std::function<bool(const Incoming&)>& take);

// An event of `subscribe_events`. `now`: the time, if it has none.
OtherEvent read_event(std::string_view event, base::Timestamp now);
OtherContext read_context(const json::value& context);

// Of `get_config`, `auth/current_user`, `auth/refresh_tokens`.
void read_config(OtherHub& hub, const json::object& config);
bool is_running(const json::object& config);
void read_user(OtherHub& hub, const json::object& user);
void read_tokens(OtherHub& hub, const json::value& tokens);

// The filter that a subscription to the states of an include and an exclude asks of the hub there; empty if it could
// not decide as MirrorFilter does. Old versions know `entity_ids` only: those, if `old`.
json::object filter_fields(const MirrorFilter& filter, bool old);

}  // namespace hearth::integrations::home_assistant
