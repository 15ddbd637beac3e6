// SPDX-License-Identifier: Apache-2.0
#include "derived/units/unit.h"

#include "automation/home/home.h"
#include "derived/units/sensor_unit.h"
#include "domains/entities/entity.h"

namespace hearth::derived {
namespace {

// One whose configuration cannot be read: unavailable, with the reason as its attribute `error`.
class BrokenUnit final : public Unit {
 public:
  BrokenUnit(std::shared_ptr<const Plan> plan, const Environment& environment)
      : Unit(std::move(plan)), entities_(environment.entities) {}

  base::Result<void> start() override {
    auto made = std::make_unique<ShownEntity>(plan().domain,
                                              domains::EntityInfo{.integration = plan().platform,
                                                                  .unique_id = plan().unique_id,
                                                                  .object_id = plan().object_id,
                                                                  .name = plan().name,
                                                                  .available = false},
                                              plan().error);
    const auto added = entities_.add(std::move(made));
    if (!added) return std::unexpected(added.error());
    shown_ = *added;
    return {};
  }
  void withdraw() override {
    if (shown_) const auto gone = entities_.withdraw(shown_->entity_id());
    shown_ = nullptr;
  }
  std::vector<std::string> entity_ids() const override {
    if (!shown_) return {};
    return {std::string(shown_->entity_id())};
  }

 private:
  class ShownEntity final : public domains::Entity {
   public:
    ShownEntity(std::string_view domain, domains::EntityInfo info, std::string error)
        : Entity(domain, std::move(info), nullptr), error_(std::move(error)) {}

   private:
    std::string value() const override { return std::string(core::kUnknown); }
    void add_capabilities(json::object& attributes) const override { attributes["error"] = error_; }

    const std::string error_;
  };

  domains::EntityTable& entities_;
  ShownEntity* shown_ = nullptr;
};

}  // namespace

std::vector<std::string> Plan::wanted_entities() const {
  std::vector<std::string> ids{domain + "." + object_id};
  for (const std::string& other : also) ids.push_back(other + "." + object_id);
  return ids;
}

std::unique_ptr<Unit> Unit::create(const std::shared_ptr<const Plan>& plan, const Environment& environment) {
  if (!plan->error.empty()) return std::make_unique<BrokenUnit>(plan, environment);
  if (plan->unit) return plan->unit(plan, environment);
  return std::make_unique<SensorUnit>(plan, environment);
}

}  // namespace hearth::derived
