// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/discovery/discovery.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.h"
#include "base/utf8.h"
#include "integrations/mqtt/components/component.h"
#include "integrations/mqtt/components/thing_entity.h"
#include "integrations/mqtt/discovery/plan.h"

namespace hearth::integrations::mqtt {

Discovery::Discovery(const domains::IntegrationHome& home, core::MqttBroker& broker, std::string prefix)
    : home_(home),
      prefix_(std::move(prefix)),
      templates_(home.hub),
      last_values_(home),
      entity_home_{home.hub, home.domains, home.bus, broker, templates_, complaints_, last_values_},
      devices_(home),
      store_(home.hub) {}

Discovery::~Discovery() = default;

base::Result<void> Discovery::start() {
  for (const StoredMessage& message : store_.all()) {
    describe(message.topic, message.payload);
    topics_[message.topic].retained = message.retained;
  }
  devices_.settle();
  subscriptions_.push_back(entity_home_.broker.listen([this](bool connected) { connection_changed(connected); }));
  for (const std::string_view levels : {"+/+/config", "+/+/+/config"}) {
    auto subscription =
        entity_home_.broker.subscribe(fmt::format("{}/{}", prefix_, levels), 0,
                                      [this](const core::MqttMessage& message) { take_from_broker(message); });
    if (!subscription) return std::unexpected(subscription.error());
    subscriptions_.push_back(std::move(*subscription));
  }
  for (const std::string_view kind : {"config", "sensors"}) {
    auto subscription =
        entity_home_.broker.subscribe(fmt::format("{}+/{}", kTasmotaPrefix, kind), 0,
                                      [this](const core::MqttMessage& message) { take_from_broker(message); });
    if (subscription) subscriptions_.push_back(std::move(*subscription));
  }
  if (entity_home_.broker.status().connected) {
    connection_changed(true);
    return {};
  }
  patience_ = home_.bus.schedule(kPatience, [this] {
    if (!entity_home_.broker.status().connected) connection_changed(false);
  });
  return {};
}

void Discovery::stop() {
  subscriptions_.clear();
  devices_.stop();
  last_values_.stop();
  patience_ = {};
  all_there_ = {};
  for (auto& [name, topic] : topics_) {
    for (const auto& part : topic.parts) {
      if (part->entity) part->entity->stop();
      part->trigger.reset();
      part->reader.reset();
    }
  }
}

void Discovery::connection_changed(bool connected) {
  entity_home_.connected = connected;
  counting_ = connected;
  all_there_ = {};
  for (auto& [name, topic] : topics_) topic.seen = false;
  if (connected) all_there_ = home_.bus.schedule(kAllThere, [this] { remove_vanished(); });
  for_each_part([](const std::string&, const Topic&, const Part& part) {
    if (part.entity) part.entity->connection_changed();
  });
}

template <class Function>
void Discovery::for_each_part(Function function) const {
  for (const auto& [name, topic] : topics_) {
    for (const auto& part : topic.parts) function(name, topic, *part);
  }
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
    complaints_.note(topic, "kept", put.error().message);
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
    complaints_.note(prefix_, "discovery", fmt::format("there are more than {} topics", kMaxTopics));
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
  if (parse_tasmota_topic(name)) end_others(topic, message->components);
  for (Description& description : message->components) apply(topic, std::move(description));
  for (const auto& part : topic.parts) {
    if (!part->refusal.empty()) refuse(name, part->name, part->refusal);
  }
  const auto is_used = [](const auto& part) { return part->refusal.empty(); };
  if (std::ranges::all_of(topic.parts, is_used)) complaints_.forget(name);
  return std::ranges::any_of(topic.parts, is_used);
}

// A message of Tasmota's has all parts of the device: others are there no more.
void Discovery::end_others(Topic& topic, const std::vector<Description>& described) {
  std::erase_if(topic.parts, [&](const std::unique_ptr<Part>& part) {
    const bool stays = std::ranges::find(described, part->name, &Description::part) != described.end();
    if (!stays) end(*part);
    return !stays;
  });
}

void Discovery::refuse(std::string_view topic, std::string_view part, std::string_view reason) {
  complaints_.note(topic, part.empty() ? "discovery" : part, reason);
}

void Discovery::apply(Topic& topic, Description description) {
  const auto found =
      std::ranges::find_if(topic.parts, [&](const auto& part) { return part->name == description.part; });
  if (description.removed) {
    if (found == topic.parts.end()) return;
    end(**found);
    topic.parts.erase(found);
    return;
  }
  Part* part = found == topic.parts.end() ? nullptr : found->get();
  if (!part) part = topic.parts.emplace_back(std::make_unique<Part>()).get();
  if (!part->component.empty() && part->component != description.component && description.refusal.empty()) end(*part);
  part->name = description.part;
  if (part->component.empty() || description.refusal.empty()) part->component = description.component;
  part->refusal = description.refusal;
  if (part->refusal.empty()) {
    if (auto made = make(*part, description); !made) part->refusal = made.error().message;
  }
  part->dropped = std::move(description.dropped);
}

base::Result<void> Discovery::make(Part& part, Description& description) {
  const core::Device device = description.device ? devices_.put(*description.device) : core::Device();
  base::Result<void> made;
  const auto take = [&](auto created, auto& into) -> base::Result<void> {
    if (!created) return std::unexpected(created.error());
    into = std::move(*created);
    return {};
  };
  if (part.component == "device_automation")
    made = take(Trigger::create(entity_home_, description, device.id), part.trigger);
  else if (part.component == "tag")
    made = take(TagReader::create(entity_home_, description, device.id), part.reader);
  else
    made = make_entity(part, description, device);
  if (made) {
    part.keys = description.keys;
    move(part, device.id);
  }
  return made;
}

base::Result<void> Discovery::make_entity(Part& part, Description& description, const core::Device& device) {
  auto plan = plan_entity(description, device.id, device.name.value_or(""), templates_);
  if (!plan) return std::unexpected(plan.error());
  const Identity identity(plan->component->kind->domain, plan->info.unique_id);
  const auto owner = owners_.find(identity);
  if (owner != owners_.end() && owner->second != &part) {
    bool migrates = false;
    for_each_part([&](const std::string&, const Topic& topic, const Part& other) {
      migrates = migrates || (&other == owner->second && topic.migrating);
    });
    if (!migrates) {
      return base::fail(base::ErrorCode::invalid,
                        fmt::format("unique_id: {} is in use by {}", base::utf8_excerpt(plan->info.unique_id),
                                    owner->second->entity ? owner->second->entity->entity_id() : "another one"));
    }
    leave(*owner->second);
  }
  if (part.entity) {
    if (part.unique_id == plan->info.unique_id)
      leave(part);
    else
      end(part);
  }
  const Component& component = *plan->component;
  part.unique_id = plan->info.unique_id;
  part.entity = component.create ? component.create(entity_home_, std::move(*plan))
                                 : std::make_unique<ThingEntity>(entity_home_, std::move(*plan));
  if (auto started = part.entity->start(); !started) {
    part.entity.reset();
    return started;
  }
  owners_[identity] = &part;
  return {};
}

void Discovery::leave(Part& part) {
  if (part.entity) {
    owners_.erase({std::string(part.entity->component().kind->domain), part.unique_id});
    complaints_.forget(part.entity->entity_id());
    part.entity->withdraw();
  }
  part.entity.reset();
}

void Discovery::end(Part& part) {
  if (part.entity) {
    owners_.erase({std::string(part.entity->component().kind->domain), part.unique_id});
    complaints_.forget(part.entity->entity_id());
    part.entity->remove();
  }
  part.entity.reset();
  part.trigger.reset();
  part.reader.reset();
  move(part, {});
}

void Discovery::move(Part& part, const std::string& device_id) {
  if (part.device_id == device_id) return;
  devices_.join(device_id);
  devices_.leave(std::exchange(part.device_id, device_id));
}

void Discovery::remove_topic(const std::string& name) {
  const auto found = topics_.find(name);
  for (const auto& part : found->second.parts) end(*part);
  topics_.erase(found);
  complaints_.forget(name);
  if (store_.find(name)) store_.remove(name);
}

json::array Discovery::report() const {
  json::array rows;
  for (const auto& [name, topic] : topics_) {
    if (!topic.refusal.empty() || topic.parts.empty()) {
      rows.push_back(json::object{{"topic", name},
                                  {"verdict", "refused"},
                                  {"dropped", json::array()},
                                  {"reason", topic.refusal.empty() ? json::value() : json::value(topic.refusal)},
                                  {"entity_id", nullptr}});
      if (!topic.refusal.empty()) continue;
    }
    for (const auto& part : topic.parts) {
      json::array dropped;
      std::string reason = part->refusal;
      for (const DroppedKey& key : part->dropped) {
        dropped.emplace_back(key.key);
        if (part->refusal.empty()) reason += fmt::format("{}{}: {}", reason.empty() ? "" : "; ", key.key, key.reason);
      }
      const bool refused = !part->refusal.empty();
      const std::string_view verdict = refused           ? "refused"
                                       : part->trigger   ? "trigger"
                                       : dropped.empty() ? "made"
                                                         : "dropped";
      json::object row{{"topic", name},
                       {"verdict", verdict},
                       {"dropped", std::move(dropped)},
                       {"reason", reason.empty() ? json::value() : json::value(reason)},
                       {"entity_id", part->entity ? json::value(part->entity->entity_id()) : json::value()}};
      if (!part->name.empty()) row["component"] = part->name;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

json::array Discovery::triggers_of(std::string_view device_id) const {
  json::array list;
  for_each_part([&](const std::string&, const Topic&, const Part& part) {
    if (part.trigger && part.device_id == device_id) list.push_back(part.trigger->description());
  });
  return list;
}

json::object Discovery::debug_info(std::string_view device_id) const {
  const auto messages_of = [](const std::vector<std::string>& topics, const RecentMessages& messages) {
    json::array list;
    for (const std::string& topic : topics)
      list.push_back(json::object{{"topic", topic}, {"messages", messages.of_topic(topic)}});
    return list;
  };
  json::array entities, triggers;
  for_each_part([&](const std::string& name, const Topic&, const Part& part) {
    if (part.device_id != device_id) return;
    json::object data{{"topic", name}, {"payload", part.keys}};
    if (part.entity) {
      entities.push_back(json::object{{"entity_id", part.entity->entity_id()},
                                      {"subscriptions", messages_of(part.entity->topics_read(), entity_home_.received)},
                                      {"discovery_data", std::move(data)},
                                      {"transmitted", messages_of(part.entity->topics_written(), entity_home_.sent)}});
    } else if (part.trigger) {
      triggers.push_back(
          json::object{{"discovery_data", std::move(data)}, {"trigger_key", part.trigger->description()}});
    }
  });
  return {{"entities", std::move(entities)}, {"triggers", std::move(triggers)}};
}

}  // namespace hearth::integrations::mqtt
