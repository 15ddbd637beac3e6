// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/polled/polled_unit.h"

#include <fmt/format.h>

#include <utility>

#include "base/config/config_secrets.h"
#include "base/json/json.h"
#include "base/log/log.h"
#include "base/text/utf8.h"

namespace hearth::building_blocks {

// An entity of a plan that cannot be read: unavailable, with the reason as its attribute `error`.
class PolledUnit::BrokenEntity final : public domains::Entity {
 public:
  BrokenEntity(std::string_view domain, domains::EntityInfo info, std::string error)
      : Entity(domain, std::move(info), nullptr), error_(std::move(error)) {}

 private:
  std::string value() const override { return std::string(core::kUnknown); }
  void add_capabilities(json::object& attributes) const override { attributes["error"] = error_; }

  const std::string error_;
};

PolledUnit::PolledUnit(std::shared_ptr<const PolledPlan> plan, const PolledEnvironment& environment)
    : plan_(std::move(plan)), environment_(environment) {}

PolledUnit::~PolledUnit() = default;

std::vector<std::string> PolledUnit::start() {
  std::vector<std::string> left_out;
  if (!plan_->error.empty()) {
    for (const PolledEntityPlan& each : plan_->entities) {
      const auto added =
          environment_.entities.add(std::make_unique<BrokenEntity>(each.domain,
                                                                   domains::EntityInfo{.integration = plan_->block,
                                                                                       .unique_id = each.unique_id,
                                                                                       .object_id = each.object_id,
                                                                                       .name = each.name,
                                                                                       .available = false},
                                                                   plan_->error));
      if (added)
        broken_.emplace_back((*added)->entity_id());
      else
        left_out.push_back(fmt::format("{}: {}", each.place, added.error().message));
    }
    return left_out;
  }
  source_ = plan_->source(environment_);
  for (std::size_t number = 0; number < plan_->entities.size(); ++number) {
    const PolledEntityPlan& each = plan_->entities[number];
    auto entity = std::make_unique<PolledEntity>(
        *plan_, each, environment_,
        PolledEntity::Calls{
            [this, number](const domains::Action& action, const json::object& data) { command(number, action, data); },
            [this] { return refresh(); }});
    if (const auto added = entity->start(); !added) {
      left_out.push_back(fmt::format("{}: {}", each.place, added.error().message));
      entity.reset();
    }
    entities_.push_back(std::move(entity));
  }
  fetch();
  return left_out;
}

void PolledUnit::withdraw() {
  timer_ = {};
  source_.reset();
  for (const auto& each : entities_) {
    if (each) each->withdraw();
  }
  for (const std::string& id : broken_) const auto gone = environment_.entities.withdraw(id);
  broken_.clear();
}

std::vector<std::string> PolledUnit::entity_ids() const {
  std::vector<std::string> ids = broken_;
  for (const auto& each : entities_) {
    if (each && !each->entity_id().empty()) ids.emplace_back(each->entity_id());
  }
  return ids;
}

bool PolledUnit::refresh() {
  if (plan_->scan_interval == base::Duration()) return false;
  if (fetching_)
    again_ = true;
  else
    fetch();
  return true;
}

void PolledUnit::fetch() {
  if (plan_->scan_interval == base::Duration() || !source_) return;
  timer_ = {};
  fetching_ = true;
  again_ = false;
  source_->fetch([this](base::Result<Source::Parts> parts) { receive(std::move(parts)); });
}

void PolledUnit::receive(base::Result<Source::Parts> parts) {
  fetching_ = false;
  if (std::exchange(stale_, false)) return fetch();
  if (!parts) {
    const std::string why = base::without_secrets(parts.error().message, plan_->secrets);
    if (!std::exchange(failing_, true)) base::log_warning(plan_->block, "{}: {}", plan_->place, why);
    for (const auto& each : entities_) {
      if (each) each->lose();
    }
  } else {
    if (std::exchange(failing_, false)) base::log_info(plan_->block, "{}: works again", plan_->place);
    for (std::size_t number = 0; number < entities_.size(); ++number) {
      if (entities_[number] && !parts->empty()) show(*entities_[number], (*parts)[parts->size() == 1 ? 0 : number]);
    }
  }
  // By the timer even if it is due now: a source may answer at once.
  timer_ = environment_.home.hub.bus.schedule(again_ ? base::Duration() : plan_->scan_interval, [this] { fetch(); });
}

void PolledUnit::show(PolledEntity& entity, const base::Result<Fetched>& part) {
  if (!part) {
    entity.complain(part.error().message);
    return entity.lose();
  }
  const std::string text = base::utf8_repaired(part->text);
  std::shared_ptr<const json::value> json;
  if (part->json)
    json = std::make_shared<const json::value>(*part->json);
  else if (auto parsed = base::parse_json(text))
    json = std::make_shared<const json::value>(std::move(*parsed));
  entity.show(*part, text, json);
}

void PolledUnit::command(std::size_t number, const domains::Action& action, const json::object& data) {
  source_->command(number, action, data, [this, number, &action, data](const base::Result<void>& done) {
    PolledEntity* const entity = entities_.size() > number ? entities_[number].get() : nullptr;
    if (!entity) return;
    if (!done) {
      entity->complain(fmt::format("{}: {}", action.service, done.error().message));
      return entity->repeat();
    }
    if (!entity->plan().has_state)
      entity->assume(action, data);
    else if (fetching_)
      stale_ = true;
    else if (!refresh())
      entity->repeat();
  });
}

}  // namespace hearth::building_blocks
