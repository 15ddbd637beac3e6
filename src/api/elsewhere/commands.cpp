// SPDX-License-Identifier: Apache-2.0
// Commands about entities of other hubs, which this hub itself has no answer to.
#include <algorithm>

#include "api/rows.h"
#include "core/values/entity_id.h"

namespace hearth::api {
namespace {

// Fails with not_found, not_supported.
CommandResult answer_here(const CommandCall& call) {
  const json::value* const given = call.message.if_contains("entity_id");
  const std::string id =
      given && given->is_string() ? core::lower_case(std::string_view(given->get_string())) : std::string();
  if (id.empty() && !call.message.contains("media_content_id"))
    return std::unexpected(CommandError(command_error::kInvalidFormat, "entity_id: missing; expected a text."));
  if (!id.empty() && !call.home.find(id))
    return std::unexpected(CommandError(command_error::kNotFound, "There is no such entity."));
  return std::unexpected(CommandError(command_error::kNotSupported, "No device of this hub can do this."));
}

// Pages ask it of each camera: those of this hub have pictures only.
CommandResult camera_capabilities(const CommandCall& call) {
  const auto answer = answer_here(call);
  if (answer.error().code != command_error::kNotSupported) return answer;
  return R"({"frontend_stream_types":[]})";
}

constexpr Elsewhere kByContent{.key = "media_content_id"};

}  // namespace

constexpr Command kElsewhereCommandRows[] = {
    {"calendar/event/subscribe", Access::user, answer_here, Durable::no, &kSubscribesElsewhere},
    {"camera/capabilities", Access::user, camera_capabilities, Durable::no, &kAsksElsewhere},
    {"camera/get_prefs", Access::user, answer_here, Durable::no, &kAsksElsewhere},
    {"camera/stream", Access::user, answer_here, Durable::no, &kAsksElsewhere},
    {"camera/web_rtc_offer", Access::user, answer_here, Durable::no, &kAsksElsewhere},
    {"camera/webrtc/candidate", Access::user, answer_here, Durable::no, &kAsksElsewhere},
    {"camera/webrtc/get_client_config", Access::user, answer_here, Durable::no, &kAsksElsewhere},
    {"camera/webrtc/offer", Access::user, answer_here, Durable::no, &kSubscribesElsewhere},
    {"media_player/browse_media", Access::user, answer_here, Durable::no, &kAsksElsewhere},
    {"media_player/search_media", Access::user, answer_here, Durable::no, &kAsksElsewhere},
    {"media_source/browse_media", Access::user, answer_here, Durable::no, &kByContent},
    {"media_source/resolve_media", Access::user, answer_here, Durable::no, &kByContent},
    {"update/release_notes", Access::user, answer_here, Durable::no, &kAsksElsewhere},
    {"weather/subscribe_forecast", Access::user, answer_here, Durable::no, &kSubscribesElsewhere},
};
constexpr Commands kElsewhereCommands = kElsewhereCommandRows;

}  // namespace hearth::api
