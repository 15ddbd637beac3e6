// SPDX-License-Identifier: Apache-2.0
// Shared by the devices of the demo home: their time, which may run faster than real time or stand still, the weather,
// and the registration of entities. Bus thread only.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "domains/entities/entity_table.h"
#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"
#include "domains/restored.h"
#include "integrations/demo/demo.h"
#include "integrations/demo/weather.h"

namespace hearth::integrations::demo {

// A device as sold, and the area it is in.
struct Product {
  std::string object_id;  // of its main entity
  std::string name;       // unique
  std::string manufacturer;
  std::string model;
  std::string area;  // its name
};

class World {
 public:
  World(const domains::IntegrationHome& home, const DemoOptions& options);

  const Noise& noise() const { return noise_; }
  domains::IntegrationBus& bus() const { return bus_; }

  bool still() const { return speed_ == 0; }
  // The home's local time; at rest always the same noon.
  LocalTime time() const;
  // The same as a point in time, `hours` from now.
  base::Timestamp now(double hours = 0) const;
  Weather weather(double hours = 0) const;

  // Runs `task` once, after this time has passed in the home. REQUIRES: !still().
  [[nodiscard]] core::Timer after(base::Duration time, core::EventBus::Task task,
                                  const std::source_location& where = std::source_location::current()) const;
  // Cancels all tasks.
  void stop() { stopped_ = true; }

  // Creates the floors and their rooms at the first start only: the user may have changed them since.
  void add_areas();
  // Registers the product as a device with its main entity.
  domains::EntityInfo add_product(const Product& product, std::string device_class = {}, std::string icon = {});

  base::SteadyTime steady_now() const { return hub_.clock.steady_now(); }
  // Calls a service with the rights of the context, without waiting for the result.
  void call(std::string_view domain, std::string_view service, json::object data, const core::Context& context) const;

  // The restored state of this entity, because devices keep no state, or `first` if there is none.
  template <class EntityType, class State>
  State remembered(const domains::EntityInfo& info, State first) const {
    const auto last = last_state(EntityType::kDomain, info);
    if (!last || last->value() == core::kUnavailable || last->value() == core::kUnknown) return first;
    return domains::restored(std::move(first), *last);
  }

  // True if the entity was in the home before.
  bool known(const domains::Kind& kind, const domains::EntityInfo& info) const;
  core::Registry& registry() const { return hub_.registry; }
  std::string time_zone() const { return hub_.config.load()->time_zone; }

  domains::Report remembered(const domains::Kind& kind, const domains::EntityInfo& info, domains::Report first) const;
  double remembered(const domains::Kind& kind, const domains::EntityInfo& info, double first) const;

  // Creates the entity and adds it to the home, with its first state.
  domains::Thing& add(const domains::Kind& kind, domains::Report first, domains::EntityInfo info,
                      domains::Abilities can = {}, domains::ThingDevice* device = nullptr);
  template <class EntityType, class First, class... Args>
  EntityType& add(const First& first, domains::EntityInfo info, Args&&... args) {
    auto entity = std::make_unique<EntityType>(std::move(info), std::forward<Args>(args)...);
    entity->report(first);
    return *entities_.add(std::move(entity)).value();
  }

 private:
  core::StatePtr last_state(std::string_view domain, const domains::EntityInfo& info) const;

  core::Hub& hub_;
  domains::EntityTable& entities_;
  domains::IntegrationBus& bus_;
  Noise noise_;
  double speed_;
  base::SteadyTime started_;
  bool stopped_ = false;
};

// A device or group of devices that the demo keeps alive.
class Appliance {
 public:
  virtual ~Appliance() = default;
  virtual double power() const { return 0; }  // watts that it draws
};

// Runs a task periodically; never if the world is still.
class Pulse {
 public:
  Pulse(World& world, base::Duration period, std::function<void()> task,
        const std::source_location& where = std::source_location::current());

 private:
  void wait();

  World& world_;
  base::Duration period_;
  std::function<void()> task_;
  std::source_location where_;
  core::Timer timer_;
};

}  // namespace hearth::integrations::demo
