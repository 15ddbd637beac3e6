// SPDX-License-Identifier: Apache-2.0
#include "automation/conversation_service.h"

#include <fmt/format.h>

namespace hearth::automation {
namespace {

constexpr std::string_view kDone = "Done", kNotUnderstood = "Sorry, I couldn't understand that";

json::value text_or_null(const json::object& data, std::string_view key) {
  const json::value* const value = data.if_contains(key);
  return value ? *value : json::value();
}

// As clients of conversations know it.
json::object response_of(const core::ServiceCall& call, const std::string& language, std::string_view speech,
                         bool understood) {
  json::object data =
      understood ? json::object{{"targets", json::array()}, {"success", json::array()}, {"failed", json::array()}}
                 : json::object{{"code", "no_intent_match"}};
  json::object response{{"speech", {{"plain", {{"speech", speech}, {"extra_data", nullptr}}}}},
                        {"card", json::object()},
                        {"language", language},
                        {"response_type", understood ? "action_done" : "error"},
                        {"data", std::move(data)}};
  return {{"response", std::move(response)}, {"conversation_id", text_or_null(call.data(), "conversation_id")}};
}

}  // namespace

core::Registration add_conversation_service(Home& home) {
  core::ServiceDescription description;
  description.domain = "conversation";
  description.service = "process";
  description.name = "Process";
  description.description = "Says a sentence to the automations that have a conversation trigger for it.";
  description.has_target = false;
  description.response = core::ResponseSupport::optional;
  description.fields = {
      {"text", "What is said.", "turn on the party", core::field::Text{}, true},
      {"language", "In which language; that of the home if it is missing.", "en", core::field::Text{}},
      {"conversation_id", "Comes back in the answer.", "kitchen", core::field::Text{}},
      {"agent_id", "Is not needed: there is one.", "home", core::field::Text{}}};
  return home.hub.services.add(std::move(description), [&home](const core::ServiceCall& call,
                                                               const core::ServiceReply& reply) {
    const std::string said(call.data().at("text").get_string());
    if (said.size() > Sentence::kMaxBytes)
      return reply(
          base::fail(base::ErrorCode::invalid, fmt::format("text: expected at most {} bytes", Sentence::kMaxBytes)));
    const json::value asked = text_or_null(call.data(), "language");
    const std::string language = asked.is_string() ? std::string(asked.get_string()) : home.hub.config.load()->language;
    const auto timer = std::make_shared<core::Timer>();
    const auto answer = std::make_shared<Answer>([call, reply, language](const std::optional<std::string>& text) {
      reply(json::value(response_of(call, language, text ? std::string_view(*text) : kDone, true)));
    });
    *timer = home.hub.bus.schedule(kConversationPatience, [answer] { answer->give(std::nullopt); });
    const bool known = home.conversations.hear(said, call.context(), [answer, timer](std::optional<std::string> text) {
      answer->give(std::move(text));
      *timer = {};
    });
    if (known) return;
    *timer = {};
    answer->drop();
    reply(json::value(response_of(call, language, kNotUnderstood, false)));
  });
}

}  // namespace hearth::automation
