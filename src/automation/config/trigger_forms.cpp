// SPDX-License-Identifier: Apache-2.0
#include "automation/config/trigger_forms.h"

#include <fmt/format.h>

#include "automation/config/delegated_form.h"
#include "automation/config/device_forms.h"
#include "core/mqtt.h"

namespace hearth::automation::trigger_forms {
namespace {

std::vector<std::string> limited_texts(ConfigReader& in, std::string_view key) {
  std::vector<std::string> texts;
  for (const ConfigNode& item : one_or_many(in.find(key))) texts.push_back(limited_text(in, item));
  return texts;
}

std::string one_entity(ConfigReader& in, const ConfigNode& node, std::string_view key) {
  const auto ids = read_some_entity_ids(in, node, key);
  return ids.empty() ? std::string() : ids.front();
}

// One of MQTT, which an event tells.
void parse_mqtt_device(ConfigReader& in, const std::string& device_id, const std::string& type, Trigger& trigger) {
  EventTrigger made;
  made.types = {"device_trigger"};
  made.data = {{"device_id", device_id}, {"type", type}};
  if (const std::string subtype = read_text(in, "subtype"); !subtype.empty()) made.data["subtype"] = subtype;
  in.find("discovery_id");
  trigger.kind = std::move(made);
}

}  // namespace

void parse_mqtt(ConfigReader& in, const ConfigNode& node, Trigger& trigger) {
  MqttTrigger made;
  const ConfigNode* const topic = in.find("topic");
  if (topic) made.topic = limited_text(in, *topic);
  if (!topic || topic->is_empty())
    note_missing(in, node, "topic");
  else if (!topic->broken() && !core::is_topic_filter(made.topic))
    note(in, *topic, topic->mismatch("a topic, with + for a level and # for all that follow"));
  if (const ConfigNode* const payload = in.find("payload")) {
    // As written: a message is a text.
    const auto text = payload->text();
    if (!payload->is_text() && !payload->is_empty())
      note(in, *payload, payload->mismatch("a text"));
    else
      made.payload = text && !text->contains('{') ? *text : limited_text(in, *payload);
  }
  made.value_template = read_data(in, "value_template");
  in.integer("qos", made.qos, 0, 2);
  if (const ConfigNode* const encoding = in.find("encoding")) {
    const auto text = encoding->text();
    if (!text || (*text != "utf-8" && *text != "UTF-8")) note(in, *encoding, encoding->mismatch("utf-8"));
  }
  trigger.kind = std::move(made);
}

void parse_webhook(ConfigReader& in, const ConfigNode& node, Trigger& trigger) {
  WebhookTrigger made;
  const ConfigNode* const id = in.find("webhook_id");
  if (id) made.id = limited_text(in, *id);
  if (made.id.empty() && !(id && id->broken())) note_missing(in, node, "webhook_id");
  const ConfigNode* const methods = in.find("allowed_methods");
  if (!methods) made.methods = {"POST", "PUT"};
  constexpr std::string_view kMethods[] = {"GET", "HEAD", "POST", "PUT"};
  for (const ConfigNode& item : one_or_many(methods))
    made.methods.push_back(value_or_note(in, item, item.option(kMethods)));
  in.boolean("local_only", made.local_only);
  trigger.kind = std::move(made);
}

void parse_tag(ConfigReader& in, const ConfigNode& node, Trigger& trigger) {
  EventTrigger made;
  const auto ids = limited_texts(in, "tag_id"), devices = limited_texts(in, "device_id");
  if (is_missing(in.find("tag_id"))) note_missing(in, node, "tag_id");
  if (!ids.empty()) made.types = {"tag_scanned"};
  for (const std::string& id : ids) {
    if (devices.empty()) made.alternatives.push_back({{"tag_id", id}});
    for (const std::string& device : devices) made.alternatives.push_back({{"tag_id", id}, {"device_id", device}});
  }
  trigger.kind = std::move(made);
}

void parse_zone(ConfigReader& in, const ConfigNode& node, Trigger& trigger) {
  ZoneTrigger made;
  made.entity_ids = read_entity_ids(in, node, "entity_id");
  made.zone = one_entity(in, node, "zone");
  in.option("event", made.enter, {{"enter", true}, {"leave", false}});
  trigger.kind = std::move(made);
}

void parse_notification(ConfigReader& in, const ConfigNode&, Trigger& trigger) {
  NotificationTrigger made;
  made.id = read_text(in, "notification_id");
  constexpr std::string_view kUpdates[] = {"added", "updated", "removed", "current"};
  for (const ConfigNode& item : one_or_many(in.find("update_type")))
    made.updates.push_back(value_or_note(in, item, item.option(kUpdates)));
  made.of_none = made.updates.empty() && !is_missing(in.find("update_type"));
  trigger.kind = std::move(made);
}

void parse_calendar(ConfigReader& in, const ConfigNode& node, Trigger& trigger) {
  CalendarTrigger made;
  made.entity_id = one_entity(in, node, "entity_id");
  if (!made.entity_id.empty()) check_domains(in, "entity_id", {&made.entity_id, 1}, {"calendar"});
  in.option("event", made.start, {{"start", true}, {"end", false}});
  made.offset = limited_duration(in, "offset", {}, DurationData::Sign::any);
  trigger.kind = std::move(made);
}

void parse_conversation(ConfigReader& in, const ConfigNode& node, Trigger& trigger) {
  ConversationTrigger made;
  for (const ConfigNode& item : one_or_many(in.find("command"))) {
    const auto text = item.text();
    auto sentence = text ? Sentence::parse(*text) : std::unexpected(item.mismatch("a sentence"));
    if (sentence)
      made.sentences.push_back(std::move(*sentence));
    else
      note(in, item, text ? item.error(sentence.error().message) : sentence.error());
  }
  if (is_missing(in.find("command"))) note_missing(in, node, "command");
  trigger.kind = std::move(made);
}

void parse_device(ConfigReader& in, const ConfigNode& node, Trigger& trigger) {
  const std::string device_id = read_text(in, "device_id"), domain = read_text(in, "domain"),
                    type = read_text(in, "type");
  if (auto form = delegated_form(in, node, "platform")) {
    trigger.kind = DelegatedTrigger{std::move(*form)};
    return;
  }
  for (const auto& [key, text] : {std::pair("domain", &domain), std::pair("type", &type)}) {
    if (text->empty()) note_missing(in, node, key);
  }
  in.find("metadata");
  if (domain == "mqtt") return parse_mqtt_device(in, device_id, type, trigger);
  const auto meaning = device_trigger(domain, type);
  if (!meaning && !domain.empty() && !type.empty())
    note(in, node, fmt::format("a device's {} has no trigger {}", domain, type));
  DeviceTrigger made;
  made.entity = read_text(in, "entity_id");
  if (made.entity.empty()) note_missing(in, node, "entity_id");
  Trigger of_entity;
  if (meaning && meaning->numeric) {
    NumericTrigger numeric;
    read_limits(in, node, numeric.above, numeric.below);
    numeric.attribute = meaning->attribute;
    numeric.held = read_duration(in, "for");
    of_entity.kind = std::move(numeric);
  } else if (meaning && meaning->enters) {
    of_entity.kind = ZoneTrigger{{}, one_entity(in, node, "zone"), *meaning->enters};
  } else if (meaning) {
    StateTrigger state;
    state.to = meaning->option_key.empty() ? Values{.any = meaning->states.empty()}
                                           : read_values(in, meaning->option_key, true);
    for (const std::string& value : meaning->states) state.to->values.emplace_back(json::string(value));
    if (!meaning->option_key.empty()) state.from = read_values(in, "from", true);
    if (!state.to) state.to = Values{.any = true};
    state.held = read_duration(in, "for");
    of_entity.kind = std::move(state);
  }
  made.of_entity = std::make_shared<const Trigger>(std::move(of_entity));
  trigger.kind = std::move(made);
}

}  // namespace hearth::automation::trigger_forms
