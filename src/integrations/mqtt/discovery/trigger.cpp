// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/discovery/trigger.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/utf8.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr Key kTriggerKeys[] = {
    {.name = "automation_type", .type = field::Option{"trigger"}, .required = true},
    {.name = "topic", .type = field::TopicFilter{}, .required = true},
    {.name = "type", .type = field::Text{}, .required = true},
    {.name = "subtype", .type = field::Text{}, .required = true},
    {.name = "payload", .type = field::Payload{}},
    {.name = "value_template", .type = field::Template{}},
};
constexpr Key kTagKeys[] = {
    {.name = "topic", .type = field::TopicFilter{}, .required = true},
    {.name = "value_template", .type = field::Template{}},
};

// The message's text after the template; null if it is to be ignored.
std::optional<std::string> text_of(EntityHome& home, const Settings& settings, const core::MqttMessage& message,
                                   std::string_view who) {
  const MessageTemplate* const compiled = settings.compiled("value_template");
  if (!compiled) return message.payload();
  templates::Variables variables{{"value", message.payload()}};
  if (const json::value* const parsed = message.json()) variables.emplace_back("value_json", shared_json(*parsed));
  auto text = home.templates.render(*compiled, variables);
  if (text) return std::move(*text);
  if (!text.error().expected) home.complaints.note(who, "value_template", text.error().message);
  return {};
}

bool same_trigger(std::string_view payload, const std::string& text) {
  return payload.empty() || payload == text;
}

base::Result<void> check_template(const Settings& settings, const std::vector<DroppedKey>& dropped) {
  if (!settings.broken("value_template")) return {};
  return base::fail(base::ErrorCode::invalid, fmt::format("value_template: {}", dropped.back().reason));
}

}  // namespace

Trigger::Trigger(EntityHome& home, Settings settings, std::string device_id, std::string discovery_id)
    : home_(home),
      settings_(std::move(settings)),
      device_id_(std::move(device_id)),
      discovery_id_(std::move(discovery_id)) {}

base::Result<std::unique_ptr<Trigger>> Trigger::create(EntityHome& home, Description& description,
                                                       const std::string& device_id) {
  auto settings = Settings::read(kTriggerKeys, description.keys, home.templates, description.dropped);
  if (!settings) return std::unexpected(settings.error());
  if (auto good = check_template(*settings, description.dropped); !good) return std::unexpected(good.error());
  if (device_id.empty()) return base::fail(base::ErrorCode::invalid, "device: expected one with identifiers");
  std::unique_ptr<Trigger> trigger(new Trigger(home, std::move(*settings), device_id, description.id));
  if (auto done = trigger->listen(); !done) return std::unexpected(done.error());
  return trigger;
}

base::Result<void> Trigger::listen() {
  auto subscription =
      home_.broker.subscribe(std::string(settings_.text("topic")), static_cast<int>(settings_.number("qos")),
                             [this](const core::MqttMessage& message) { receive(message); });
  if (!subscription) return std::unexpected(subscription.error());
  subscription_ = std::move(*subscription);
  return {};
}

// A message that the broker has kept happened some time ago.
void Trigger::receive(const core::MqttMessage& message) {
  if (message.retain()) return;
  const auto text = text_of(home_, settings_, message, discovery_id_);
  if (!text || !same_trigger(settings_.text("payload"), *text)) return;
  json::object data = description();
  data.stable_erase(data.find("platform"));
  data["topic"] = message.topic();
  data["payload"] = base::utf8_excerpt(base::utf8_repaired(*text), 1'000);
  data["qos"] = message.qos();
  const auto context = core::Context::create(home_.hub.clock.now());
  home_.hub.bus.fire(kDeviceTrigger, base::to_json(data), core::Origin::local, context);
  const auto registry = home_.hub.registry.snapshot();
  const core::Device* const device = registry->devices.find(device_id_);
  const core::OptionalText name = device ? device->name_by_user ? device->name_by_user : device->name : std::nullopt;
  const json::object entry{{"name", name.value_or(device_id_)},
                           {"message", fmt::format("{} {}", settings_.text("subtype"), settings_.text("type"))},
                           {"domain", "mqtt"},
                           {"device_id", device_id_}};
  home_.hub.bus.fire("logbook_entry", base::to_json(entry), core::Origin::local, context);
}

json::object Trigger::description() const {
  return {{"platform", "device"},
          {"domain", "mqtt"},
          {"device_id", device_id_},
          {"type", settings_.text("type")},
          {"subtype", settings_.text("subtype")},
          {"discovery_id", discovery_id_}};
}

base::Result<std::unique_ptr<TagReader>> TagReader::create(EntityHome& home, Description& description,
                                                           const std::string& device_id) {
  auto settings = Settings::read(kTagKeys, description.keys, home.templates, description.dropped);
  if (!settings) return std::unexpected(settings.error());
  if (auto good = check_template(*settings, description.dropped); !good) return std::unexpected(good.error());
  std::unique_ptr<TagReader> reader(new TagReader(home, std::move(*settings), device_id));
  TagReader* const made = reader.get();
  auto subscription =
      home.broker.subscribe(std::string(made->settings_.text("topic")), static_cast<int>(made->settings_.number("qos")),
                            [made](const core::MqttMessage& message) { made->receive(message); });
  if (!subscription) return std::unexpected(subscription.error());
  reader->subscription_ = std::move(*subscription);
  return reader;
}

void TagReader::receive(const core::MqttMessage& message) {
  if (message.retain()) return;
  const auto text = text_of(home_, settings_, message, settings_.text("topic"));
  if (!text || text->empty()) return;
  json::object data{{"tag_id", base::utf8_excerpt(base::utf8_repaired(*text), 255)}, {"device_id", nullptr}};
  if (!device_id_.empty()) data["device_id"] = device_id_;
  home_.hub.bus.fire("tag_scanned", base::to_json(data), core::Origin::local,
                     core::Context::create(home_.hub.clock.now()));
}

}  // namespace hearth::integrations::mqtt
