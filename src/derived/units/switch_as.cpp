// SPDX-License-Identifier: Apache-2.0
#include "derived/units/switch_as.h"

#include "automation/config/parsing.h"
#include "base/log/log.h"
#include "core/values/entity_id.h"
#include "derived/platforms.h"
#include "domains/entities/kinds.h"

namespace hearth::derived {
namespace {

// The commands that turn the switch on, if it is not inverted.
constexpr core::Words kTurnsOn{"turn_on open_cover open_valve unlock"};
constexpr std::string_view kEntityId = "entity_id";

}  // namespace

base::Result<void> SwitchAsUnit::start() {
  core::Hub& hub = environment_.home.hub;
  const auto registry = hub.registry.snapshot();
  const core::RegisteredEntity* const known = registry->find_entity(plan().platform, plan().domain, plan().unique_id);
  const core::StatePtr last = known ? hub.states.find(known->entity_id) : nullptr;
  std::string source = environment_.home.now().entity_id_of(options_.source);
  // It was renamed, and the file has the former name.
  const std::string former = text_attribute(last.get(), kEntityId);
  if (!plan().anew && !registry->entities.contains(source) && !hub.states.find(source) &&
      registry->entities.contains(former))
    source = former;
  const core::StatePtr state = hub.states.find(source);
  std::string name = plan().name;
  // Without one of its own it has the switch's.
  if (const std::string own = text_attribute(state.get(), "friendly_name"); name == plan().object_id && !own.empty())
    name = own;
  domains::EntityInfo info{.integration = plan().platform,
                           .unique_id = plan().unique_id,
                           .object_id = plan().object_id,
                           .name = name,
                           .device_class = plan().device_class};
  std::unique_ptr<domains::Entity> made;
  if (plan().domain == "light") {
    auto light = std::make_unique<domains::Light>(std::move(info), domains::LightCapabilities{}, *this);
    light_ = light.get();
    made = std::move(light);
  } else {
    const domains::Kind& kind = *domains::find_kind(plan().domain);
    domains::Abilities can;
    for (const domains::Feature& each : kind.features)
      if (each.always) can.feature_bits |= each.bit;
    can.feature_bits |= kind.features_of(plan().domain == "valve"   ? "open close"
                                         : plan().domain == "siren" ? "turn_on turn_off"
                                                                    : "");
    auto thing = std::make_unique<domains::Thing>(kind, std::move(info), std::move(can), this);
    thing_ = thing.get();
    made = std::move(thing);
  }
  shown_ = made.get();
  follow(std::move(source));  // before its state is read: a change that comes meanwhile is not missed
  show(nullptr);
  if (const auto added = environment_.entities.add(std::move(made)); !added) {
    shown_ = nullptr;
    changes_ = {};
    return std::unexpected(added.error());
  }
  renames_ = hub.bus.listen(core::event_type::kEntityRegistryUpdated, [this](const core::Event& event) {
    if (event.by_client || !event.registry_change || event.registry_change->former_entity_id != source_) return;
    follow(event.registry_change->id);
    show(&event.context);
  });
  return {};
}

void SwitchAsUnit::follow(std::string entity_id) {
  source_ = std::move(entity_id);
  changes_ = environment_.home.hub.entity_listeners.listen(
      {source_}, [this](const core::StateChange&, const core::Event& event) { show(&event.context); });
}

void SwitchAsUnit::withdraw() {
  changes_ = {};
  renames_ = {};
  if (shown_) const auto gone = environment_.entities.withdraw(shown_->entity_id());
  shown_ = nullptr;
  thing_ = nullptr;
  light_ = nullptr;
}

std::vector<std::string> SwitchAsUnit::entity_ids() const {
  if (!shown_) return {};
  return {std::string(shown_->entity_id())};
}

void SwitchAsUnit::act(const domains::Action& action, const json::object&) {
  turn(kTurnsOn.contains(action.service) != options_.inverted);
}

void SwitchAsUnit::turn(bool on) {
  core::ServiceRequest request{.domain = "switch",
                               .service = on ? "turn_on" : "turn_off",
                               .data = {{"entity_id", source_}},
                               .context = shown_->command_context(),
                               .rights = shown_->caller(),
                               .if_full = core::IfFull::pass};
  environment_.home.hub.services.call(
      std::move(request), [this, alive = std::weak_ptr(alive_),
                           context = shown_->command_context()](const base::Result<core::CallOutcome>& outcome) {
        if (alive.expired() || !shown_) return;
        if (!outcome) base::log_warning("derived", "{} cannot be commanded: {}", source_, outcome.error().message);
        show(&context);
      });
}

void SwitchAsUnit::show(const core::Context* cause) {
  if (!shown_) return;
  const core::StatePtr state = environment_.home.hub.states.find(source_);
  const bool available = state && state->value() != core::kUnavailable;
  const bool known = is_known(state.get());
  const bool on = known && (state->value() == "on") != options_.inverted;
  shown_->set_extra_attributes({{kEntityId, source_}});
  if (light_) {
    if (known)
      light_->report({.on = on}, cause);
    else if (available)
      light_->forget(cause);
  } else if (available) {
    thing_->report({.value = known ? json::value(json::string(on ? options_.open : options_.closed)) : json::value()},
                   cause);
  }
  shown_->set_available(available, cause);
}

void parse_switch_as_x(Keys& in, Plan& plan) {
  SwitchAsUnit::Options options;
  options.source = read_source(in, "entity_id", plan, "switch");
  plan.sources.clear();
  if (!options.source.empty() && !options.source.starts_with("switch."))
    automation::note(in, *in.find("entity_id"), in.find("entity_id")->mismatch("a switch such as switch.garage"));
  std::string domain;
  in.require("target_domain");
  in.option<std::string>("target_domain", domain,
                         {{"cover", "cover"},
                          {"fan", "fan"},
                          {"light", "light"},
                          {"lock", "lock"},
                          {"siren", "siren"},
                          {"valve", "valve"}});
  in.boolean("invert", options.inverted);
  plan.device_class = in.text("device_class");
  const bool travels = domain == "cover" || domain == "valve";
  options.closed = travels ? "closed" : domain == "lock" ? "locked" : "off";
  options.open = travels ? "open" : domain == "lock" ? "unlocked" : "on";
  if (options.inverted && !travels && domain != "lock" && !domain.empty())
    automation::note(in, *in.find("invert"), "is for a cover, a lock or a valve");
  plan.domain = domain.empty() ? "switch" : domain;
  // It is the same as long as it shows the same switch as the same.
  if (options.source.contains('.')) plan.object_id = options.source.substr(options.source.find('.') + 1);
  plan.unit = [options](std::shared_ptr<const Plan> own, const Environment& environment) {
    return std::make_unique<SwitchAsUnit>(std::move(own), environment, options);
  };
}

}  // namespace hearth::derived
