// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "integrations/mqtt/components/components.h"
#include "integrations/mqtt/components/pattern.h"

namespace hearth::integrations::mqtt {
namespace lock {

constexpr Key kKeys[] = {
    {.name = "command_topic", .type = field::Topic{}, .required = true},
    {.name = "command_template", .type = field::Template{}},
    {.name = "state_topic", .type = field::TopicFilter{}},
    {.name = "value_template", .type = field::Template{}},
    {.name = "payload_lock", .type = field::Payload{}, .fallback = "LOCK"},
    {.name = "payload_unlock", .type = field::Payload{}, .fallback = "UNLOCK"},
    {.name = "payload_open", .type = field::Payload{}},
    {.name = "payload_reset", .type = field::Payload{}, .fallback = "None"},
    {.name = "state_locked", .type = field::Payload{}, .fallback = "LOCKED"},
    {.name = "state_locking", .type = field::Payload{}, .fallback = "LOCKING"},
    {.name = "state_unlocked", .type = field::Payload{}, .fallback = "UNLOCKED"},
    {.name = "state_unlocking", .type = field::Payload{}, .fallback = "UNLOCKING"},
    {.name = "state_open", .type = field::Payload{}, .fallback = "OPEN"},
    {.name = "state_opening", .type = field::Payload{}, .fallback = "OPENING"},
    {.name = "state_jammed", .type = field::Payload{}, .fallback = "JAMMED"},
    {.name = "code_format", .type = field::Text{}},
};
constexpr Word kWords[] = {{"locked", "state_locked"},     {"locking", "state_locking"},
                           {"unlocked", "state_unlocked"}, {"unlocking", "state_unlocking"},
                           {"open", "state_open"},         {"opening", "state_opening"},
                           {"jammed", "state_jammed"}};
constexpr Reading kReadings[] = {{.topic = "state_topic",
                                  .value_template = "value_template",
                                  .as = Reading::As::words,
                                  .words = kWords,
                                  .reset = "payload_reset"}};
constexpr Sending kSendings[] = {
    {.service = "lock", .topic = "command_topic", .command_template = "command_template", .payload = "payload_lock"},
    {.service = "unlock",
     .topic = "command_topic",
     .command_template = "command_template",
     .payload = "payload_unlock"},
    {.service = "open", .topic = "command_topic", .command_template = "command_template", .payload = "payload_open"},
};
constexpr Ability kAbilities[] = {{"open", "payload_open"}};
constexpr Fixed kFixed[] = {{"code_format", "code_format"}};

base::Result<void> check(Settings& settings, std::vector<DroppedKey>& dropped) {
  if (settings.has("code_format") && !is_pattern(settings.text("code_format")))
    settings.drop("code_format", "expected a regular expression", dropped);
  return {};
}

base::Result<void> allow(const ThingEntity& entity, const domains::Action&, const json::object& data) {
  const std::string_view format = entity.settings().text("code_format");
  const json::value* const given = data.if_contains("code");
  if (format.empty() || matches(format, given ? std::string_view(given->get_string()) : std::string_view())) return {};
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("code: {} needs one that matches {}", entity.entity_id(), format));
}

}  // namespace lock

const Component kLock{.name = "lock",
                      .kind = &domains::kLock,
                      .keys = lock::kKeys,
                      .readings = lock::kReadings,
                      .sendings = lock::kSendings,
                      .abilities = lock::kAbilities,
                      .fixed = lock::kFixed,
                      .default_name = "MQTT Lock",
                      .check = lock::check,
                      .allow = lock::allow};

}  // namespace hearth::integrations::mqtt
