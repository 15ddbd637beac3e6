// SPDX-License-Identifier: Apache-2.0
#include "core/trigger_cause.h"

#include <algorithm>

#include "base/json/json_fields.h"
#include "core/values/entity_id.h"

namespace hearth::core {
namespace {

constexpr std::string_view kSource = "source", kTrigger = "trigger", kPlatform = "platform", kEntityId = "entity_id";

// How the source of each platform began before events had `trigger`, and whether the entity follows.
struct Beginning {
  std::string_view text, platform;
  bool of_entity = false;
};
constexpr Beginning kBeginnings[] = {{"state of ", "state", true},
                                     {"numeric state of ", "numeric_state", true},
                                     {"calendar ", "calendar", true},
                                     {"time pattern", "time_pattern"},
                                     {"time", "time"},
                                     {"sunrise", "sun"},
                                     {"sunset", "sun"},
                                     {"dawn", "sun"},
                                     {"dusk", "sun"},
                                     {"solar noon", "sun"},
                                     {"solar midnight", "sun"},
                                     {"start of the hub", "homeassistant"},
                                     {"shutdown of the hub", "homeassistant"},
                                     {"template", "template"},
                                     {"event '", "event"},
                                     {"mqtt topic ", "mqtt"},
                                     {"webhook", "webhook"},
                                     {"sentence '", "conversation"},
                                     {"a notification was ", "persistent_notification"}};

void read_source(TriggerCause& cause) {
  const std::string_view source = cause.source;
  const auto* const found =
      std::ranges::find_if(kBeginnings, [&](const Beginning& each) { return source.starts_with(each.text); });
  if (found != std::end(kBeginnings)) {
    cause.platform = found->platform;
    if (!found->of_entity) return;
    if (const auto id = EntityId::parse(source.substr(found->text.size()))) cause.entity_id = id->str();
    return;
  }
  // `person.ann entering zone.home`
  const std::size_t end = source.find(' ');
  const std::string_view way = end == std::string_view::npos ? "" : source.substr(end);
  if (!way.starts_with(" entering ") && !way.starts_with(" leaving ")) return;
  cause.platform = "zone";
  if (const auto id = EntityId::parse(source.substr(0, end))) cause.entity_id = id->str();
}

}  // namespace

TriggerCause TriggerCause::of(const json::object& data) {
  TriggerCause cause{.source = base::text_at(data, kSource)};
  if (const auto* const trigger = base::value_at(data, kTrigger).if_object()) {
    cause.platform = base::text_at(*trigger, kPlatform);
    cause.entity_id = base::text_at(*trigger, kEntityId);
  } else {
    read_source(cause);
  }
  return cause;
}

void TriggerCause::write(json::object& data) const {
  json::object trigger;
  if (!platform.empty()) trigger[kPlatform] = platform;
  if (!entity_id.empty()) trigger[kEntityId] = entity_id;
  data[kSource] = source;
  data[kTrigger] = std::move(trigger);
}

bool TriggerCause::is_of_clock() const {
  return platform == "time" || platform == "time_pattern" || platform == "sun";
}

void rename_trigger_entity(json::object& data, const EntityNameHere& name_here) {
  const TriggerCause cause = TriggerCause::of(data);
  if (cause.entity_id.empty()) return;
  const auto name = name_here(cause.entity_id);
  if (auto* const trigger = data.if_contains(kTrigger); trigger && trigger->is_object()) {
    if (name)
      trigger->get_object()[kEntityId] = *name;
    else
      trigger->get_object().erase(kEntityId);
  }
  if (!name) return;
  std::string source = cause.source;
  if (source.ends_with(cause.entity_id))
    source.replace(source.size() - cause.entity_id.size(), std::string::npos, *name);
  else if (source.starts_with(cause.entity_id + " "))
    source.replace(0, cause.entity_id.size(), *name);
  data[kSource] = source;
}

}  // namespace hearth::core
