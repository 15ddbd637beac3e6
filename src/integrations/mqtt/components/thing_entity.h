// SPDX-License-Identifier: Apache-2.0
// An entity whose component and domain are tables. Bus thread only.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "domains/thing.h"
#include "integrations/mqtt/components/component.h"
#include "integrations/mqtt/components/mqtt_entity.h"

namespace hearth::integrations::mqtt {

class ThingEntity final : public MqttEntity, public domains::ThingDevice {
 public:
  ThingEntity(EntityHome& home, EntityPlan plan);
  ~ThingEntity() override;

  domains::Thing& thing() const { return *thing_; }  // REQUIRES: it is in the home

  void stop() override;
  void obey(const domains::Order& order) override;
  void act(const domains::Action& action, const json::object& data) override;
  base::Result<void> check(const domains::Action& action, const json::object& data) const override;

  // Passes the report on, unless it changes nothing and nobody waits for it.
  void report(domains::Report report);
  void report(std::string_view sets, domains::OptionalValue value);
  // Takes the text as the table says.
  void take(const Reading& reading, std::string text);
  // Further attributes of the next report, beside those of a topic of their own.
  void show_beside(json::object attributes);
  // The text is not one of those that the device may send.
  void complain_text(std::string_view key, std::string_view expected, std::string_view text);
  // A timer of the component's own: the end of a motion.
  void after(base::Duration delay, std::function<void()> task) { timer_ = schedule(delay, std::move(task)); }
  void cancel_timer() { timer_ = {}; }

 protected:
  std::unique_ptr<domains::Entity> make(domains::EntityInfo info, const core::State* last) override;
  void listen_to_all() override;

 private:
  void read(const Reading& reading, const core::MqttMessage& message);
  void drop_long(domains::Report& report);
  void send_rows(std::string_view service, const json::object& data);
  void assume(const domains::Action& action, const json::object& data);
  bool is_read(std::string_view sets) const;

  domains::Thing* thing_ = nullptr;
  core::Timer timer_;
};

}  // namespace hearth::integrations::mqtt
