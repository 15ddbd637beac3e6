// SPDX-License-Identifier: Apache-2.0
// A template entity whose configuration cannot be read: unavailable, with the reason as its attribute `error`. Bus
// thread only.
#pragma once

#include <memory>
#include <string>

#include "template_entities/template_entity.h"

namespace hearth::template_entities {

class BrokenEntity final : public TemplateEntity {
 public:
  BrokenEntity(std::shared_ptr<const Plan> plan, const EntityPlan& entity, automation::Home& home,
               domains::EntityTable& entities);

 private:
  class Shown;

  std::unique_ptr<domains::Entity> make(domains::EntityInfo info, const core::State* last,
                                        const Rendering* first) override;
  void apply(const Rendering&, const templates::Variables&, const core::Context*, const automation::Moment&) override {}
  void repeat() override {}

  const std::string error_;
};

}  // namespace hearth::template_entities
