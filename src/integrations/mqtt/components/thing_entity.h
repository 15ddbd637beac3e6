// SPDX-License-Identifier: Apache-2.0
// An entity whose component and domain are tables. Bus thread only.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "domains/entities/thing.h"
#include "integrations/mqtt/components/component.h"
#include "integrations/mqtt/components/mqtt_entity.h"

namespace hearth::integrations::mqtt {

class ThingEntity final : public MqttEntity, public domains::ThingDevice {
 public:
  static constexpr std::size_t kMaxPictures = 256 * 1024 * 1024;  // bytes, of all entities

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
  void receive(const Reading& reading, std::string text);
  // Shows a picture. `type`: as its sender names it; the bytes tell better.
  void show_picture(std::string_view type, std::string bytes);
  // Shows the picture behind the address; of addresses that come meanwhile the last one counts.
  void fetch_picture(std::string url);
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
  bool asks_for_change(const domains::Action& action, const json::object& data) const;
  bool is_read(std::string_view sets) const;

  void fetch_next();

  // Of one that fetches pictures.
  struct Fetching {
    std::string next_url;  // to be fetched; empty: none
    bool under_way = false;
    // Expires with the entity.
    std::shared_ptr<ThingEntity*> self;
  };

  domains::Thing* thing_ = nullptr;
  std::size_t picture_bytes_ = 0;
  std::unique_ptr<Fetching> fetching_;  // null before the first
  core::Timer timer_;
};

}  // namespace hearth::integrations::mqtt
