// SPDX-License-Identifier: Apache-2.0
#include "template_entities/broken_entity.h"

namespace hearth::template_entities {

class BrokenEntity::Shown final : public domains::Entity {
 public:
  Shown(std::string_view domain, domains::EntityInfo info, std::string error)
      : Entity(domain, std::move(info), nullptr), error_(std::move(error)) {}

 private:
  std::string value() const override { return std::string(core::kUnknown); }
  void add_capabilities(json::object& attributes) const override { attributes["error"] = error_; }

  const std::string error_;
};

BrokenEntity::BrokenEntity(std::shared_ptr<const Plan> plan, const EntityPlan& entity, automation::Home& home,
                           domains::EntityTable& entities)
    : TemplateEntity(plan, entity, home, entities), error_(plan->error.empty() ? entity.error : plan->error) {}

std::unique_ptr<domains::Entity> BrokenEntity::make(domains::EntityInfo info, const core::State*, const Rendering*) {
  info.available = false;
  return std::make_unique<Shown>(plan().form->domain(), std::move(info), error_);
}

}  // namespace hearth::template_entities
