// SPDX-License-Identifier: Apache-2.0
// One entity that a discovery message describes: its topics, its availability, its further attributes, and its
// commands. A class for each kind of entity adds the meaning. Bus thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/mqtt.h"
#include "domains/integration.h"
#include "integrations/mqtt/components/availability.h"
#include "integrations/mqtt/components/complaints.h"
#include "integrations/mqtt/components/fetcher.h"
#include "integrations/mqtt/components/last_values.h"
#include "integrations/mqtt/components/recent_messages.h"
#include "integrations/mqtt/components/settings.h"

namespace hearth::integrations::mqtt {

struct Component;

// The objects that all entities share; they outlive them.
struct EntityHome {
  core::Hub& hub;
  domains::Domains& domains;
  domains::IntegrationBus& bus;
  core::MqttBroker& broker;
  MessageTemplates& templates;
  Complaints& complaints;
  LastValues& last_values;
  RecentMessages received = {}, sent = {};
  std::size_t subscriptions = 0;          // of all entities
  std::size_t picture_bytes = 0;          // of all entities
  std::unique_ptr<Fetcher> fetcher = {};  // once one is needed
  bool connected = true;                  // whether the broker is there; at the start it is expected to be
};

// A component of a message after all checks.
struct EntityPlan {
  const Component* component;
  Settings settings;
  Availability availability;
  domains::EntityInfo info;
};

class MqttEntity {
 public:
  // A longer message is no state; pictures may be longer.
  static constexpr std::size_t kMaxMessage = 1024 * 1024;

  MqttEntity(EntityHome& home, EntityPlan plan);
  virtual ~MqttEntity();
  MqttEntity(const MqttEntity&) = delete;
  MqttEntity& operator=(const MqttEntity&) = delete;

  // Adds the entity to the home, with its last state, and subscribes to its topics. Fails as EntityTable::add does.
  base::Result<void> start();
  // Listens no more.
  virtual void stop();
  // Takes the entity out of the home, which keeps its state and registry entry; or removes all of it.
  void withdraw();
  void remove();

  const Component& component() const { return component_; }
  const Settings& settings() const { return settings_; }
  // REQUIRES: it has not been taken out of the home.
  const domains::EntityInfo& info() const { return entity_ ? entity_->info() : *planned_; }
  domains::Entity* entity() const { return entity_; }  // null while it is not in the home
  std::string_view entity_id() const { return entity_ ? entity_->entity_id() : std::string_view(); }
  // The topics that it reads, and those that it writes to.
  const std::vector<std::string_view>& topics_read() const { return topics_read_; }
  std::vector<std::string> topics_written() const;
  // The connection to the broker is there, or lost.
  void connection_changed() { update_availability(); }

  // A message's text after its template. Null if it is to be ignored; the log says why.
  std::optional<std::string> rendered(std::string_view template_key, const core::MqttMessage& message);
  // A line in the log about what the device sends.
  void complain(std::string_view what, std::string_view message);
  void complain_length(const core::MqttMessage& message);
  // Sends to the topic of this key. Throws if it cannot, so that the service call fails.
  void send(std::string_view topic_key, std::string payload);
  // Sends the value, or what the template makes of it, which also sees the other variables; nothing if that is empty.
  void send(std::string_view topic_key, std::string_view template_key, std::string value,
            templates::Variables others = {});
  void send(std::string_view topic_key, std::string_view template_key, double value, templates::Variables others = {});
  // For reports of its own, such as the end of a movement.
  [[nodiscard]] core::Timer schedule(base::Duration delay, std::function<void()> task);
  EntityHome& home() { return home_; }

 protected:
  // The entity, in the state that it had (null if unknown).
  virtual std::unique_ptr<domains::Entity> make(domains::EntityInfo info, const core::State* last) = 0;
  virtual void listen_to_all() = 0;

  // Calls the handler for each message of the topic of this key, if there is one.
  template <class Function>
  void listen(std::string_view topic_key, const Function& handler) {
    for (const std::string_view topic : topics_of(topic_key)) subscribe(topic_key, topic, handler);
  }
  // With those of the description, which never change.
  json::object with_fixed(json::object attributes) const;
  // The device has been heard.
  void heard();
  // True if a message must be reported even if it changes nothing, because it confirms a command. If the command asked
  // for a change, only a changed message confirms it: until then the device may still send its former state.
  bool must_report() const { return (commanded_ && !asks_for_change_) || info().force_update; }
  void commanded(bool asks_for_change) {
    commanded_ = true;
    asks_for_change_ = asks_for_change;
  }
  void reported() { commanded_ = false; }

 private:
  void unsubscribe();
  // The handler is any function, so that one that captures little stays small: a home has many.
  template <class Function>
  void subscribe(std::string_view what, std::string_view topic, Function handler) {
    add_subscription(what, topic, [this, handler = std::move(handler)](const core::MqttMessage& message) {
      if (accepts(message)) handler(message);
    });
  }
  void add_subscription(std::string_view what, std::string_view topic, core::MqttBroker::Handler handler);
  bool accepts(const core::MqttMessage& message);
  std::vector<std::string_view> topics_of(std::string_view topic_key) const;
  void listen_to_availability();
  void listen_to_attributes();
  void receive_attributes(const core::MqttMessage& message);
  void show_attributes(json::object attributes);
  void follow_members();
  json::array member_ids() const;
  void update_availability();
  // If the entity has no value any more, which it had in this state.
  void keep_value(const core::State& before);
  void expire(base::Duration after);
  std::optional<std::string> render(const MessageTemplate& compiled, std::string_view what,
                                    const core::MqttMessage& message);
  void send_made(std::string_view topic_key, std::string_view template_key, templates::Value value,
                 templates::Variables others);
  templates::Value this_state() const;
  // In all of the integration, whatever the entity is called.
  std::string key() const;

  EntityHome& home_;
  const Component& component_;
  const Settings settings_;
  Availability availability_;
  std::unique_ptr<domains::EntityInfo> planned_;  // until the entity is in the home and has it
  domains::Entity* entity_ = nullptr;
  std::vector<base::Handle> subscriptions_;
  std::vector<std::string_view> topics_read_;  // in settings_ and availability_
  json::object fixed_attributes_;
  core::Subscription registry_updates_;
  std::size_t longest_;     // message that it takes
  bool commanded_ = false;  // and not reported since
  bool asks_for_change_ = false;
  bool expired_ = false;
  core::Timer expiry_;
};

}  // namespace hearth::integrations::mqtt
