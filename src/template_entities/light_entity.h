// SPDX-License-Identifier: Apache-2.0
// A template light. Bus thread only.
#pragma once

#include <memory>
#include <optional>

#include "domains/light/light.h"
#include "template_entities/template_entity.h"

namespace hearth::template_entities {

class LightEntity final : public TemplateEntity, public domains::LightDevice {
 public:
  LightEntity(std::shared_ptr<const Plan> plan, const EntityPlan& entity, automation::Home& home,
              domains::EntityTable& entities);

  void turn_on(const domains::LightCommand& command) override;
  void turn_off(const domains::LightOffCommand& command) override;

 private:
  std::unique_ptr<domains::Entity> make(domains::EntityInfo info, const core::State* last,
                                        const Rendering* first) override;
  void apply(const Rendering& rendering, const templates::Variables& variables, const core::Context* cause,
             const automation::Moment& moment) override;
  void repeat() override;

  // Null if the templates do not say whether it is on, or not as they should.
  std::optional<domains::LightState> state_of(const Rendering& rendering);
  std::optional<domains::LightColor> color_of(const Rendering& rendering) const;
  // The one kind of steps that a command means; false if there are none but those of turn_on.
  bool run_for(const domains::LightCommand& command, const templates::Variables& common);
  bool run_color(const domains::LightColor& color, templates::Variables data);

  domains::Light* light_ = nullptr;
  domains::LightState state_;
};

}  // namespace hearth::template_entities
