// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/discovery/discovery.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.h"
#include "base/utf8.h"

namespace hearth::integrations::mqtt {

Discovery::Discovery(const domains::IntegrationHome& home, core::MqttBroker& broker, std::string prefix)
    : home_(home), prefix_(std::move(prefix)), parts_(home, broker), manual_(home.hub, parts_), store_(home.hub) {}

Discovery::~Discovery() = default;

base::Result<void> Discovery::start(const ManualItems& items) {
  // First, so that what people have written there wins.
  manual_.take(items);
  if (!prefix_.empty()) {
    for (const StoredMessage& message : store_.all()) {
      describe(message.topic, message.payload);
      topics_[message.topic].retained = message.retained;
    }
    parts_.devices().settle();
    if (auto done = listen(); !done) return done;
  }
  manual_.settle();
  subscriptions_.push_back(parts_.home().broker.listen([this](bool connected) { connection_changed(connected); }));
  if (parts_.home().broker.status().connected) {
    connection_changed(true);
    return {};
  }
  patience_ = home_.bus.schedule(kPatience, [this] {
    if (!parts_.home().broker.status().connected) connection_changed(false);
  });
  return {};
}

base::Result<void> Discovery::listen() {
  core::MqttBroker& broker = parts_.home().broker;
  const auto take = [this](const core::MqttMessage& message) { take_from_broker(message); };
  for (const std::string_view levels : {"+/+/config", "+/+/+/config"}) {
    auto subscription = broker.subscribe(fmt::format("{}/{}", prefix_, levels), 0, take);
    if (!subscription) return std::unexpected(subscription.error());
    subscriptions_.push_back(std::move(*subscription));
  }
  for (const std::string_view kind : {"config", "sensors"}) {
    auto subscription = broker.subscribe(fmt::format("{}+/{}", kTasmotaPrefix, kind), 0, take);
    if (subscription) subscriptions_.push_back(std::move(*subscription));
  }
  return {};
}

void Discovery::take(const ManualItems& items) {
  manual_.take(items);
  manual_.settle();
}

void Discovery::stop() {
  subscriptions_.clear();
  patience_ = {};
  all_there_ = {};
  for (auto& [name, topic] : topics_) Parts::stop(topic);
  manual_.stop();
  parts_.stop();
}

void Discovery::connection_changed(bool connected) {
  parts_.home().connected = connected;
  counting_ = connected;
  all_there_ = {};
  for (auto& [name, topic] : topics_) topic.seen = false;
  if (connected) all_there_ = home_.bus.schedule(kAllThere, [this] { remove_vanished(); });
  for (const auto& [name, topic] : topics_) Parts::connection_changed(topic);
  manual_.connection_changed();
}

void Discovery::take_from_broker(const core::MqttMessage& message) {
  if (!base::utf8_length(message.topic())) return;  // MQTT 5 §1.5.4: no broker passes it on
  take(message.topic(), message.payload(), message.retain());
  note_seen(message.topic(), message.retain());
}

void Discovery::note_seen(const std::string& topic, bool retained) {
  const auto known = topics_.find(topic);
  if (known != topics_.end()) {
    known->second.seen = true;
    known->second.retained = known->second.retained || retained;
  }
  if (counting_ && retained) all_there_ = home_.bus.schedule(kAllThere, [this] { remove_vanished(); });
}

// What the broker had kept and has no longer was removed while the hub was away. If most of it is missing, the broker
// has lost it, and the devices are still there.
void Discovery::remove_vanished() {
  counting_ = false;
  std::vector<std::string> vanished;
  std::size_t all = 0;
  for (const auto& [name, topic] : topics_) {
    all += topic.retained;
    if (topic.retained && !topic.seen) vanished.push_back(name);
  }
  if (vanished.size() * 2 > all) return;
  for (const std::string& name : vanished) {
    base::log_info("mqtt", "{} was removed while the hub was away", name);
    remove_topic(name);
  }
}

void Discovery::take(const std::string& topic, const std::string& payload, bool retained) {
  const auto known = topics_.find(topic);
  if (payload.empty()) {
    if (known != topics_.end()) remove_topic(topic);
    return;
  }
  const bool same = known != topics_.end() && known->second.payload == payload && !known->second.migrating;
  const auto tasmota = parse_tasmota_topic(topic);
  if (!same && !describe(topic, payload)) {
    // The sensors of a Tasmota device may come first.
    if (tasmota && tasmota->sensors && waiting_sensors_.size() < kMaxTopics) waiting_sensors_[topic] = payload;
    return;
  }
  if (tasmota && !tasmota->sensors && !same) renew_sensors(*tasmota);
  const auto stored = store_.find(topic);
  if (stored && stored->payload == payload && (stored->retained || !retained)) return;
  if (auto put = store_.put({topic, payload, retained || (stored && stored->retained)}); !put)
    parts_.home().complaints.note(topic, "kept", put.error().message);
}

void Discovery::renew_sensors(const TasmotaTopic& tasmota) {
  const std::string topic = tasmota.sensors_topic();
  if (const auto waiting = waiting_sensors_.extract(topic); !waiting.empty())
    return take(topic, waiting.mapped(), false);
  const auto known = topics_.find(topic);
  if (known != topics_.end() && !known->second.payload.empty()) describe(topic, std::string(known->second.payload));
}

base::Result<DiscoveryMessage> Discovery::parse(const std::string& name, const std::string& payload) const {
  if (const auto tasmota = parse_tasmota_topic(name)) {
    if (!tasmota->sensors) return parse_tasmota_config(tasmota->mac, payload);
    const auto config = topics_.find(tasmota->config_topic());
    return parse_tasmota_sensors(tasmota->mac, payload, config == topics_.end() ? "" : config->second.payload);
  }
  const auto place = parse_discovery_topic(prefix_, name);
  if (place) return parse_discovery(*place, payload);
  return base::fail(base::ErrorCode::invalid, "expected a topic of letters, digits, _ and - between the slashes");
}

bool Discovery::describe(const std::string& name, const std::string& payload) {
  if (!topics_.contains(name) && topics_.size() >= kMaxTopics) {
    parts_.home().complaints.note(prefix_, "discovery", fmt::format("there are more than {} topics", kMaxTopics));
    return false;
  }
  Topic& topic = topics_[name];
  topic.refusal.clear();
  auto message = parse(name, payload);
  if (!message) {
    topic.refusal = message.error().message;
    refuse(name, "", topic.refusal);
    return false;
  }
  if (message->migrates) {
    topic.migrating = true;
    return false;
  }
  topic.migrating = false;
  topic.payload = payload;
  // A message of Tasmota's has all parts of the device: others are there no more.
  if (parse_tasmota_topic(name)) parts_.end_others(topic, message->components);
  for (Description& description : message->components) parts_.apply(topic, std::move(description));
  for (const auto& part : topic.parts) {
    if (!part->refusal.empty()) refuse(name, part->name, part->refusal);
  }
  const auto is_used = [](const auto& part) { return part->refusal.empty(); };
  if (std::ranges::all_of(topic.parts, is_used)) parts_.home().complaints.forget(name);
  return std::ranges::any_of(topic.parts, is_used);
}

void Discovery::refuse(std::string_view topic, std::string_view part, std::string_view reason) {
  parts_.home().complaints.note(topic, part.empty() ? "discovery" : part, reason);
}

void Discovery::remove_topic(const std::string& name) {
  const auto found = topics_.find(name);
  parts_.end(found->second);
  topics_.erase(found);
  parts_.home().complaints.forget(name);
  if (store_.find(name)) store_.remove(name);
}

json::array Discovery::report() const {
  json::array rows;
  manual_.report(rows);
  for (const auto& [name, topic] : topics_) Parts::report(rows, name, topic);
  return rows;
}

json::array Discovery::triggers_of(std::string_view device_id) const {
  json::array list;
  for (const auto& [name, topic] : topics_) {
    for (const auto& part : topic.parts) {
      if (part->trigger && part->device_id == device_id) list.push_back(part->trigger->description());
    }
  }
  return list;
}

json::object Discovery::debug_info(std::string_view device_id) const {
  json::object info{{"entities", json::array()}, {"triggers", json::array()}};
  manual_.debug_info(info, device_id);
  for (const auto& [name, topic] : topics_) parts_.debug_info(info, name, topic, device_id);
  return info;
}

}  // namespace hearth::integrations::mqtt
