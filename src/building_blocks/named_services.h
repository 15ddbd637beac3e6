// SPDX-License-Identifier: Apache-2.0
// The services of one domain that have their names in the configuration, such as rest_command.<name>. Only those may
// call one who may control all of the home, or whose policy names it as if it were an entity. Bus thread only, except
// where noted.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log/log.h"
#include "configured/in_force.h"
#include "configured/reload.h"
#include "configured/section.h"
#include "core/hub.h"

namespace hearth::building_blocks {

// Immutable; any thread.
struct ServicePlan {
  std::string name, place;           // say_hello, configuration.yaml:14
  std::string error;                 // empty if it can be called; otherwise what else the plan has is of no use
  std::string written;               // all of it as text: equal if nothing has changed
  std::vector<std::string> secrets;  // in what is written; the log must not show them
};

// For configured::InForce.
inline const std::string& id_of(const ServicePlan& plan) {
  return plan.name;
}
inline bool is_good(const ServicePlan& plan) {
  return plan.error.empty();
}
inline bool is_same(const ServicePlan& one, const ServicePlan& other) {
  return one.written == other.written && one.error == other.error;
}

// The unit of a service that is nothing but a handler. It answers if it is asked to.
template <class Plan>
class NamedService {
 public:
  // Adds <domain>.<name> to the home; `does` begins its description: "Sends the request". `call(plan, call, reply)`.
  template <class Call>
  NamedService(core::Hub& hub, std::string_view domain, std::string_view does, std::shared_ptr<const Plan> plan,
               Call call)
      : plan_(std::move(plan)) {
    core::ServiceDescription description;
    description.domain = domain;
    description.service = plan_->name;
    description.name = plan_->name;
    description.description = fmt::format("{} at {}.", does, plan_->place);
    description.has_target = false;
    description.response = core::ResponseSupport::optional;
    description.stands_for = plan_->name;
    description.hands_on = true;
    registration_ = hub.services.add(
        std::move(description),
        [plan = plan_, call = std::move(call)](const core::ServiceCall& made, const core::ServiceReply& reply) {
          call(*plan, made, reply);
        });
  }

  const Plan& plan() const { return *plan_; }
  void withdraw() { registration_ = {}; }

 private:
  const std::shared_ptr<const Plan> plan_;
  core::Registration registration_;
};

// A unit is what a service needs while it is in force: with plan() and withdraw(), as configured::InForce says, and
// perhaps entity_id(), empty if there is no entity.
template <class Plan, class Unit = NamedService<Plan>>
class NamedServices {
 public:
  // The hub must outlive it.
  NamedServices(core::Hub& hub, std::string_view domain) : hub_(hub), domain_(domain) {}

  // <domain>.reload. Once, while the bus does not run.
  void add_reload(std::string_view description, configured::Reload reload) {
    reload_ = configured::add_reload(hub_, domain_, description, std::move(reload));
  }

  // Puts the configuration in force; a broken plan leaves the last good one in force. `make(plan, faults)`: a unit of a
  // good plan, whose service is in the home; null if that failed.
  template <class Make>
  void apply(const configured::Section<std::shared_ptr<const Plan>>& configuration, const Make& make) {
    std::vector<configured::Fault> faults = configured::report(configuration, domain_);
    units_.apply(configuration.plans, configuration.complete, [&](const std::shared_ptr<const Plan>& plan) {
      return is_good(*plan) ? make(plan, faults) : nullptr;
    });
    for (const auto& plan : configuration.plans) {
      if (is_good(*plan)) continue;
      std::string entity_id;
      if constexpr (requires(const Unit& unit) { unit.entity_id(); }) {
        if (const Unit* const unit = find(plan->name)) entity_id = unit->entity_id();
      }
      faults.push_back({fmt::format("{}.{}", domain_, plan->name), std::move(entity_id), plan->name, plan->error});
      base::log_warning(domain_, "{}", plan->error);
    }
    faults_.publish(std::move(faults));
  }

  void stop() {
    for (const auto& [name, unit] : units_.all()) unit->withdraw();
    units_.clear();
    reload_ = {};
  }

  Unit* find(std::string_view name) const { return units_.find(name); }
  const typename configured::InForce<Unit>::Units& all() const { return units_.all(); }

  // Any thread.
  std::shared_ptr<const std::vector<configured::Fault>> faults() const { return faults_.load(); }

 private:
  core::Hub& hub_;
  const std::string_view domain_;
  configured::InForce<Unit> units_;
  configured::Faults faults_;
  core::Registration reload_;
};

}  // namespace hearth::building_blocks
