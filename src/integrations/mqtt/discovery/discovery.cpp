// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/discovery/discovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/log/log.h"
#include "base/text/utf8.h"

namespace hearth::integrations::mqtt {
namespace {

std::size_t hash_of(std::string_view payload) {
  return std::hash<std::string_view>()(payload);
}

std::string left_out_text() {
  return fmt::format("expected at most {} topics, {} components and {} MiB of text: what is beyond is left out",
                     Discovery::kMaxTopics, Discovery::kMaxParts, Discovery::kMaxBytes / 1024 / 1024);
}

}  // namespace

Discovery::Discovery(const domains::IntegrationHome& home, core::MqttBroker& broker, std::string prefix)
    : home_(home), prefix_(std::move(prefix)), parts_(home, broker), manual_(home.hub, parts_), store_(home.hub) {}

Discovery::~Discovery() = default;

base::Result<void> Discovery::start(const ManualItems& items) {
  // First, so that what people have written there wins.
  manual_.apply(items);
  if (!prefix_.empty()) {
    for (const StoredMessage& message : store_.all()) {
      describe(message.topic, message.payload);
      if (const auto known = topics_.find(message.topic); known != topics_.end())
        known->second.retained = message.retained;
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
  const auto take = [this](const core::MqttMessage& message) { receive_from_broker(message); };
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

void Discovery::apply(const ManualItems& items) {
  manual_.apply(items);
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

void Discovery::receive_from_broker(const core::MqttMessage& message) {
  if (!base::utf8_length(message.topic())) return;  // MQTT 5 §1.5.4: no broker passes it on
  receive(message.topic(), message.payload(), message.retain());
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

// A device that the broker had kept and has no longer was removed while the hub was away. If most of them are missing,
// the broker has lost it, and the devices are still there.
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

void Discovery::receive(const std::string& topic, const std::string& payload, bool retained) {
  const auto known = topics_.find(topic);
  if (payload.empty()) {
    if (known != topics_.end()) remove_topic(topic);
    return;
  }
  const bool same = known != topics_.end() && known->second.hash == hash_of(payload) && !known->second.migrating;
  const auto tasmota = parse_tasmota_topic(topic);
  if (!same && !describe(topic, payload)) {
    // The sensors of a Tasmota device may come first.
    if (tasmota && tasmota->sensors && waiting_sensors_.size() < kMaxWaiting &&
        waiting_bytes_ + payload.size() <= kMaxWaitingBytes && waiting_sensors_.emplace(topic, payload).second)
      waiting_bytes_ += payload.size();
    return;
  }
  keep(topic, payload, retained);
  if (tasmota && !tasmota->sensors && !same) renew_sensors(*tasmota);
}

void Discovery::keep(const std::string& topic, const std::string& payload, bool retained) {
  const auto stored = store_.find(topic);
  if (stored && stored->payload == payload && (stored->retained || !retained)) return;
  if (auto put = store_.put({topic, payload, retained || (stored && stored->retained)}); !put)
    parts_.home().complaints.note(topic, "kept", put.error().message);
}

void Discovery::renew_sensors(const TasmotaTopic& tasmota) {
  const std::string topic = tasmota.sensors_topic();
  if (const auto waiting = waiting_sensors_.extract(topic); !waiting.empty()) {
    waiting_bytes_ -= waiting.mapped().size();
    return receive(topic, waiting.mapped(), false);
  }
  if (const auto stored = store_.find(topic)) describe(topic, stored->payload);
}

base::Result<DiscoveryMessage> Discovery::parse(const std::string& name, const std::string& payload) const {
  if (payload.size() > kMaxMessageBytes)
    return base::fail(base::ErrorCode::invalid, fmt::format("expected at most {} KiB", kMaxMessageBytes / 1024));
  if (const auto tasmota = parse_tasmota_topic(name)) {
    if (!tasmota->sensors) return parse_tasmota_config(tasmota->mac, payload);
    const auto config = store_.find(tasmota->config_topic());
    return parse_tasmota_sensors(tasmota->mac, payload, config ? config->payload : "");
  }
  const auto place = parse_discovery_topic(prefix_, name);
  if (place) return parse_discovery(*place, payload);
  return base::fail(base::ErrorCode::invalid, "expected a topic of letters, digits, _ and - between the slashes");
}

bool Discovery::has_room(const Topic* topic, std::size_t bytes, std::size_t parts) const {
  if (!topic) return topics_.size() < kMaxTopics && part_count_ + parts <= kMaxParts && bytes_ + bytes <= kMaxBytes;
  return part_count_ - std::min(part_count_, topic->parts.size()) + parts <= kMaxParts &&
         bytes_ - topic->bytes + bytes <= kMaxBytes;
}

void Discovery::leave_out() {
  ++left_out_;
  parts_.home().complaints.note(prefix_, "discovery", left_out_text());
}

void Discovery::weigh(Topic& topic, std::size_t bytes) {
  bytes_ += bytes - topic.bytes;
  topic.bytes = bytes;
}

bool Discovery::describe(const std::string& name, const std::string& payload) {
  auto message = parse(name, payload);
  const auto known = topics_.find(name);
  Topic* const former = known == topics_.end() ? nullptr : &known->second;
  std::size_t bytes = 0, parts = 0;
  if (message) {
    for (const Description& each : message->components) {
      bytes += each.bytes();
      parts += !each.removed;
    }
  }
  bytes = name.size() + (message ? std::max(bytes, payload.size()) : 0);
  // Existing devices stay if there is no room for more.
  if (!has_room(former, former && !message ? former->bytes : bytes,
                former && !message ? former->parts.size() : parts)) {
    leave_out();
    return false;
  }
  Topic& topic = former ? *former : topics_[name];
  topic.refusal.clear();
  if (!message) {
    if (!former) weigh(topic, bytes);
    topic.refusal = message.error().message;
    refuse(name, "", topic.refusal);
    return false;
  }
  weigh(topic, bytes);
  if (message->migrates) {
    topic.migrating = true;
    return false;
  }
  topic.migrating = false;
  topic.hash = hash_of(payload);
  part_count_ -= topic.parts.size();
  // A message of Tasmota's has all parts of the device: others are there no more.
  if (parse_tasmota_topic(name)) parts_.end_others(topic, message->components);
  for (Description& description : message->components) parts_.apply(topic, std::move(description));
  part_count_ += topic.parts.size();
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
  part_count_ -= found->second.parts.size();
  weigh(found->second, 0);
  parts_.end(found->second);
  topics_.erase(found);
  parts_.home().complaints.forget(name);
  if (store_.find(name)) store_.remove(name);
}

json::array Discovery::report() const {
  json::array rows;
  manual_.report(rows);
  if (left_out_ > 0) {
    rows.push_back(json::object{{"topic", prefix_ + "/#"},
                                {"verdict", "refused"},
                                {"dropped", json::array()},
                                {"reason", fmt::format("{}, {} messages so far", left_out_text(), left_out_)},
                                {"entity_id", nullptr}});
  }
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
  for (const auto& [name, topic] : topics_) {
    std::vector<Description> described;
    parts_.debug_info(info, name, topic, device_id, [&](const Part& part) {
      const auto stored = described.empty() ? store_.find(name) : std::nullopt;
      if (auto message = stored ? parse(name, stored->payload) : base::Result<DiscoveryMessage>(); message && stored)
        described = std::move(message->components);
      const auto found = std::ranges::find(described, part.name, &Description::part);
      return found == described.end() ? json::object() : found->keys;
    });
  }
  return info;
}

}  // namespace hearth::integrations::mqtt
