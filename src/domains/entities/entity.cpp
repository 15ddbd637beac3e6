// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/entity.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/json/json_repair.h"
#include "base/log/log.h"
#include "core/client_entity.h"

namespace hearth::domains {

const Entity::Commands& Entity::commands() const {
  static const Commands none;
  return commands_ ? *commands_ : none;
}

Entity::Commands& Entity::own_commands() {
  if (!commands_) commands_ = std::make_unique<Commands>();
  return *commands_;
}

bool Entity::adopt(const core::RegisteredEntity& registered, const core::RegistryData& registry) {
  const auto shown = [this] {
    return std::tuple(std::string(entity_id()), enabled_, name_, icon_, device_class_, unit_, customized_);
  };
  const auto before = shown();
  id_ = core::EntityId::parse(registered.entity_id).value();
  if (registry_id_.empty()) registry_id_ = registered.id;  // never changes
  enabled_ = registry.enabled(registered);
  name_ = registry.friendly_name(registered);
  icon_ = registered.icon ? registered.icon : registered.original_icon;
  device_class_ = registered.device_class ? registered.device_class : registered.original_device_class;
  const std::string_view unit = core::wanted_unit(registered);
  unit_ = unit.empty() ? core::OptionalText() : core::OptionalText(unit);
  customized_ = home_->hub.customizations.load()->of(registered.entity_id);
  return shown() != before;
}

void Entity::set_available(bool available, const core::Context* cause) {
  if (available_ == available) return;
  available_ = available;
  write(cause);
}

bool Entity::command(const core::Context& context, const std::function<void()>& action) {
  Commands& commands = own_commands();
  commands.last = context;
  commands.time = home_->hub.clock.steady_now();
  if (commands.waiting.size() == kMaxWaiting) commands.waiting.erase(commands.waiting.begin());
  commands.waiting.push_back(context);
  home_->hub.services.expect_report(context, entity_id());
  // Copies, because the device may remove the entity.
  const std::string integration = info_.integration, what = fmt::format("a command of {}", entity_id());
  const core::BusWatch::Inner holds(home_->hub.bus.watch(), where_);
  return home_->failures.guard(integration, what, action);
}

bool Entity::ask(const std::function<void()>& question) {
  const std::string integration = info_.integration, what = fmt::format("a question to {}", entity_id());
  const core::BusWatch::Inner holds(home_->hub.bus.watch(), where_);
  return home_->failures.guard(integration, what, question);
}

void Entity::refresh() {
  if (!device_ || !device_->refresh()) write();
}

core::Context Entity::context_of_report(const core::Context* cause) const {
  if (cause) return *cause;
  const auto& time = commands().time;
  if (time && home_->hub.clock.steady_now() - *time < kCommandReach) return commands().last;
  return core::Context::create(home_->hub.clock.now());
}

void Entity::write(const core::Context* cause) {
  if (!enabled_) return;
  const core::Context context = context_of_report(cause);
  std::string text = available_ ? value() : std::string(core::kUnavailable);
  json::object shown = attributes();
  if (unit_) core::convert_to(*unit_, text, shown);
  for (const auto& [name, value] : customized_) shown[name] = value;
  const std::string attributes_json = base::to_json(shown);
  if (const auto written = home_->hub.states.set(*id_, {text, attributes_json, context, info_.force_update});
      !written && !std::exchange(logged_refusal_, true)) {
    base::log_error("domains", "{} of {} reports an invalid state, and keeps its last one: {}", entity_id(),
                    info_.integration, written.error().message);
  }
  // A report without a cause answers all waiting commands: they cannot be distinguished.
  std::vector<core::Context> answered;
  if (cause)
    answered.push_back(context);
  else if (commands_)
    answered = std::exchange(commands_->waiting, {});
  if (cause && commands_)
    std::erase_if(commands_->waiting, [&](const core::Context& waiting) { return waiting.id == cause->id; });
  for (const core::Context& call : answered) home_->hub.services.reported(call, entity_id());
}

json::object Entity::attributes() {
  json::object made;
  add_capabilities(made);
  if (available_) add_attributes(made);
  if (device_class_ && !device_class_->empty()) made["device_class"] = *device_class_;
  if (icon_ && !icon_->empty()) made["icon"] = *icon_;
  made["friendly_name"] = name_;
  if (available_) {
    for (const auto& [name, value] : extra_) made.emplace(name, value);
  }
  if (const std::string wrong = base::repair_json(made); !wrong.empty() && !std::exchange(logged_repair_, true)) {
    base::log_warning("domains", "{} of {} reports a value that no state can hold: {}", entity_id(), info_.integration,
                      wrong);
  }
  return made;
}

std::unexpected<base::Error> cannot(std::string_view entity_id, std::string_view what) {
  return base::fail(base::ErrorCode::unsupported, fmt::format("{} cannot {}.", entity_id, what));
}

std::unexpected<base::Error> cannot(const Entity& entity, std::string_view what) {
  return cannot(entity.entity_id(), what);
}

void leave_out(std::string_view entity_id, std::string_view field, std::string_view cannot) {
  base::log_debug("services", "{} goes on without {}: it cannot {}", entity_id, field, cannot);
}

}  // namespace hearth::domains
