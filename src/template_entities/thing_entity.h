// SPDX-License-Identifier: Apache-2.0
// A template entity whose form and domain are tables. Bus thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "domains/entities/thing.h"
#include "template_entities/delays.h"
#include "template_entities/template_entity.h"

namespace hearth::template_entities {

class ThingEntity final : public TemplateEntity, public domains::ThingDevice {
 public:
  ThingEntity(std::shared_ptr<const Plan> plan, const EntityPlan& entity, automation::Home& home,
              domains::EntityTable& entities);

  void obey(const domains::Order& order) override;
  void act(const domains::Action& action, const json::object& data) override;
  base::Result<json::object> answer(const domains::Action& action, const json::object& data) override;

 private:
  std::unique_ptr<domains::Entity> make(domains::EntityInfo info, const core::State* last,
                                        const Rendering* first) override;
  void apply(const Rendering& rendering, const templates::Variables& variables, const core::Context* cause,
             const automation::Moment& moment) override;
  void repeat() override;

  void restore(const core::State& last);
  void take_delayed(const templates::Variables& variables, domains::Report& report, const automation::Moment& moment);
  // Passes the report on, unless it changes nothing and nobody waits for it.
  void report(domains::Report report, json::object extra, const core::Context* cause);
  // Values that the templates do not tell are taken as done.
  void assume(const domains::Action& action, const json::object& data);

  domains::Thing* thing_ = nullptr;
  std::optional<Delays> delays_;
  json::object forecasts_;  // by type
};

}  // namespace hearth::template_entities
