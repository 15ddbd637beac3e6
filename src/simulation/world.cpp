// SPDX-License-Identifier: Apache-2.0
#include "simulation/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "automation/engine.h"
#include "automation/references.h"
#include "automation/store/keys.h"
#include "derived/sensors/derived_sensors.h"
#include "domains/domains.h"
#include "domains/entities/kinds.h"
#include "domains/groups/typed_group.h"
#include "domains/helpers/file_helpers.h"
#include "domains/scenes/desired_state.h"
#include "template_entities/template_entities.h"

namespace hearth::simulation {
namespace {

// As the next hub finds it on its disk.
core::RegistryData stored(const core::RegistryData& registry) {
  core::RegistryData kept = registry;
  for (const auto& [id, entity] : registry.entities) {
    core::RegisteredEntity unprovided = entity;
    unprovided.provided = false;
    unprovided.provider.clear();
    kept.set(std::move(unprovided));
  }
  return kept;
}

}  // namespace

// Tells the timeline which runs have ended; the texts of traces are not kept.
class World::Journal final : public core::MemoryJournal {
 public:
  explicit Journal(World& world) : MemoryJournal(world.bus_), world_(world) {}
  void put(std::string key, std::string text) override;

 private:
  World& world_;
};

struct World::Hub {
  Hub(const Parts& parts, derived::HistoryQuestions& history, base::Timestamp now)
      : clock(now),
        engine(hub, domains.entities(), parts.imports),
        templates(engine.home(), domains.entities()),
        sensors(engine.home(), domains.entities(), history) {}

  base::ManualClock clock;
  core::Hub hub{clock};
  std::map<std::string, std::unique_ptr<Device>, std::less<>> devices;  // outlive their entities
  domains::Domains domains{hub};
  automation::Engine engine;
  template_entities::TemplateEntities templates;
  derived::DerivedSensors sensors;
  domains::FileHelpers helpers{hub, domains.entities()};
  std::vector<core::Registration> services;
};

void World::Journal::put(std::string key, std::string text) {
  if (key.starts_with(kArchive)) return;
  if (key.starts_with(automation::keys::kTraces)) {
    if (world_.recorded_) return;
    const auto row = base::parse_json(text);
    if (row && row->is_object() && row->get_object().at("domain") == json::value("automation")) {
      const json::object& of = row->get_object();
      world_.timeline_.end_run(of, world_.entity_of("automation", std::string(of.at("item_id").get_string())),
                               world_.now());
    }
    return;
  }
  MemoryJournal::put(std::move(key), std::move(text));
}

World::World(const Parts& parts, const core::HubConfig& home, const GivenStates& states, base::Timestamp now,
             std::optional<Recorded> recorded)
    : parts_(parts), home_(home), recorded_(recorded), journal_(std::make_unique<Journal>(*this)) {
  const auto context = core::Context::create(now);
  std::vector<core::StatePtr> restored;
  for (const auto& [id, state] : states)
    restored.push_back(core::State::create(core::EntityId::parse(id).value(), state.value,
                                           base::to_json(state.attributes), {now, now}, context));
  core::RegistryData registry;
  for (const core::RegisteredEntity& entity : parts_.registered) registry.set(entity);
  begin(now, states, std::move(restored), std::move(registry));
  hub_->hub.states.snapshot()->for_each([&](const core::State& state) {
    first_states_.emplace(state.entity_id(), hub_->hub.states.find(state.entity_id()));
  });
  if (hub_->hub.bus.time_to_next_timer() == base::Duration(0)) hub_->hub.bus.run_pending();
}

World::~World() {
  if (!hub_) return;
  heard_ = {};
  leave();
}

void World::leave() {
  timeline_.leave();
  history_.leave();
  hub_->engine.stop();
  hub_->templates.stop();
  hub_->sensors.stop();
}

base::Timestamp World::now() const {
  return hub_->clock.now();
}

core::StatePtr World::find(std::string_view entity_id) const {
  return hub_->hub.states.find(entity_id);
}

std::string World::entity_of(std::string_view domain, const std::string& id) const {
  const auto registry = hub_->hub.registry.snapshot();
  const core::RegisteredEntity* const entity = registry->find_entity(domain, domain, id);
  return entity ? entity->entity_id : std::string();
}

core::Context World::own_context() {
  core::Context context = core::Context::create(now());
  timeline_.add_own(context);
  return context;
}

// Devices that the automations name, and whose state nobody has given.
std::vector<std::string> World::wanted_entities() const {
  std::set<std::string> all;
  for (const auto* const items : {&parts_.automations.automations, &parts_.automations.scripts}) {
    for (const auto& item : *items) all.merge(automation::references_of(*item).entities);
  }
  for (const auto& helper : parts_.helpers.helpers) {
    for (std::string& member : domains::members_of_typed_group(helper.fields)) all.insert(std::move(member));
  }
  return {all.begin(), all.end()};
}

void World::begin(base::Timestamp now, const GivenStates& states, std::vector<core::StatePtr> restored,
                  core::RegistryData registry) {
  const core::Journal::Entries entries = journal_->entries;
  hub_ = std::make_unique<Hub>(parts_, history_, now);
  core::Hub& hub = hub_->hub;
  bus_ = &hub.bus;
  core::update_config(hub, home_, core::Context::create(now));
  hub.registry.restore(std::move(registry));
  hub.states.restore(std::move(restored));
  hub_->engine.use(*journal_, entries);
  hub_->engine.add_services([](const core::Context&, const core::ServiceReply& reply) { reply(json::value()); });
  hub.run_state = core::RunState::starting;

  own_.clear();
  for (const auto& helper : parts_.helpers.helpers) own_.insert(helper.entity_id());
  std::vector<domains::HelperItem> helpers = parts_.helpers.helpers;
  for (domains::HelperItem& helper : helpers) {
    if (states.contains(helper.entity_id())) helper.fields.erase("initial");
  }
  hub_->helpers.apply(helpers, true);
  hub_->domains.zones().apply(parts_.helpers.zones, true);
  hub_->domains.file_scenes().apply(parts_.scenes);
  hub_->templates.apply(parts_.templates);
  std::set<std::string> derived;
  for (const auto& plan : parts_.sensors.plans) {
    if (!recorded_) std::ranges::move(plan->wanted_entities(), std::inserter(derived, derived.end()));
  }
  const auto add = [&](const std::string& id, const GivenState* first) {
    const auto parsed = core::EntityId::parse(id);
    if (!parsed || !is_device_domain(parsed->domain()) || own_.contains(id) || hub_->devices.contains(id)) return;
    if (derived.contains(id) || hub_->domains.entities().find(id)) return;
    auto device = add_device(hub_->domains.entities(), *parsed, first ? first->attributes : json::object());
    if (!device) return faults_.push_back(device.error().message);
    const auto shown = first ? (*device)->show(*first) : base::Result<void>();
    if (!shown) faults_.push_back(shown.error().message);
    if (recorded_ && recorded_->entities.contains(id)) (*device)->stop_obeying();
    hub_->devices.emplace(id, std::move(*device));
  };
  for (const auto& [id, state] : states) add(id, &state);
  for (const std::string& id : wanted_entities()) add(id, nullptr);
  history_.follow(hub, parts_.sensors);
  hub_->sensors.add_services([](const core::Context&, const core::ServiceReply& reply) { reply(json::value()); });
  if (!recorded_) hub_->sensors.apply(parts_.sensors);
  add_services();
  for (const auto& [id, state] : states) {
    if (!derived.contains(id) || !is_device_domain(id.substr(0, id.find('.')))) continue;
    if (const auto done = set_own(id, state); !done) faults_.push_back(done.error().message);
  }
  hub_->engine.apply(parts_.automations);
  hear();
  hub.bus.run_pending();
  hub.run_state = core::RunState::running;
  const auto context = core::Context::create(now);
  for (const std::string_view type : {core::event_type::kPlatformStart, core::event_type::kHomeassistantStart,
                                      core::event_type::kPlatformStarted, core::event_type::kHomeassistantStarted})
    hub.bus.fire(type, "{}", core::Origin::local, context);
  hub.bus.run_pending();
}

void World::hear() {
  if (!recorded_) return timeline_.follow(hub_->hub.bus);
  core::EventFilter heard;
  for (const std::string_view type : Recorded::kHeard) heard.types.emplace(type);
  heard_ = hub_->hub.bus.listen(std::move(heard), recorded_->listener);
}

// Services that the home itself does not have only appear in the timeline.
void World::add_services() {
  std::set<std::string> named(parts_.services.begin(), parts_.services.end());
  for (const auto* const items : {&parts_.automations.automations, &parts_.automations.scripts}) {
    for (const auto& item : *items) named.merge(automation::references_of(*item).services);
  }
  for (const auto& script : parts_.automations.scripts) named.erase("script." + script->unique_id);
  for (const std::string& name : named) {
    const auto parsed = core::EntityId::parse(name);
    if (!parsed) continue;
    const std::string domain(parsed->domain()), service(parsed->object_id());
    if (hub_->hub.services.find(domain, service)) continue;
    core::ServiceDescription description;
    description.domain = domain;
    description.service = service;
    description.has_target = false;
    description.response = core::ResponseSupport::optional;
    description.hands_on = true;
    hub_->services.push_back(
        hub_->hub.services.add(description, [](const core::ServiceCall& call, const core::ServiceReply& reply) {
          reply(call.request().return_response ? json::value(json::object()) : json::value());
        }));
  }
}

void World::advance_to(base::Timestamp time) {
  core::EventBus& bus = hub_->hub.bus;
  bus.run_pending();
  while (!timeline_.is_full()) {
    const auto left = bus.time_to_next_timer();
    if (!left || *left > time - now()) break;
    hub_->clock.advance(*left);
    bus.run_pending();
  }
  hub_->clock.advance(std::max(base::Duration(0), time - now()));
  bus.run_pending();
}

base::Result<void> World::set(const GivenStates& states) {
  base::Result<void> all;
  for (const auto& [id, state] : states) {
    auto done = set(id, state);
    if (!done && all) all = std::move(done);
  }
  hub_->hub.bus.run_pending();
  return all;
}

base::Result<void> World::set(const std::string& id, const GivenState& state) {
  if (const auto device = hub_->devices.find(id); device != hub_->devices.end()) return device->second->show(state);
  if (hub_->domains.entities().find(id)) return set_own(id, state);
  const core::StatePtr present = find(id);
  json::object attributes = present && !state.replaces ? present->attributes() : json::object();
  for (const auto& [name, value] : state.attributes) attributes[name] = value;
  const auto written =
      hub_->hub.states.set(core::EntityId::parse(id).value(), {state.value, base::to_json(attributes), own_context()});
  if (!written) return std::unexpected(written.error());
  return {};
}

void World::follow(const std::string& id, const std::optional<RecordedState>& state, const core::Context& context) {
  const auto entity_id = core::EntityId::parse(id);
  if (!entity_id) return;
  const auto device = hub_->devices.find(id);
  const bool switched = entity_id->domain() == "automation", helper = own_.contains(id);
  if (device != hub_->devices.end()) {
    GivenState given{std::string(state ? state->value : core::kUnavailable), {}};
    auto attributes = base::parse_json(state ? state->attributes : "{}");
    if (attributes && attributes->is_object()) given.attributes = std::move(attributes->get_object());
    static_cast<void>(device->second->show(given));
  } else if (switched || helper) {
    const core::StatePtr present = find(id);
    if (state && present && present->value() != state->value)
      static_cast<void>(set_own(id, {std::string(state->value), {}}));
  } else if (entity_id->domain() == "script" || hub_->domains.entities().find(id)) {
    return;
  } else if (!state) {
    static_cast<void>(hub_->hub.states.remove(id, context));
  } else {
    static_cast<void>(hub_->hub.states.set(*entity_id, {state->value, state->attributes, context}));
  }
  hub_->hub.bus.run_pending();
}

void World::fire(const std::string& type, const json::object& data) {
  hub_->hub.bus.fire(type, base::to_json(data), core::Origin::local, own_context(), core::FiredBy::client);
  hub_->hub.bus.run_pending();
}

// A helper, or another entity that the home itself has: as if a person had done it.
base::Result<void> World::set_own(const std::string& id, const GivenState& state) {
  const std::string domain = id.substr(0, id.find('.'));
  if (domain == "automation" && (state.value == "on" || state.value == "off"))
    return call("automation.turn_" + state.value, {{"entity_id", id}}, false);
  const domains::DesiredState wish{.entity_id = id, .value = state.value, .attributes = state.attributes};
  const core::StatePtr present = find(id);
  if (!domains::find_kind(domain) || !present)
    return base::fail(base::ErrorCode::invalid, fmt::format("{} can only be what the home makes of it", id));
  const auto calls = domains::calls_for(wish, *present);
  if (!calls) return std::unexpected(calls.error());
  for (const domains::DesiredCall& each : *calls) {
    json::object data = each.data;
    data["entity_id"] = id;
    if (auto done = call(fmt::format("{}.{}", domain, each.service), data, false); !done) return done;
  }
  return {};
}

base::Result<void> World::call(const std::string& service, const json::object& data, bool announced) {
  const auto dot = service.find('.');
  core::ServiceRequest request{.domain = service.substr(0, dot),
                               .service = service.substr(dot + 1),
                               .data = data,
                               .context = own_context(),
                               .announced = announced};
  if (const auto known = hub_->hub.services.find(request.domain, request.service))
    request.return_response = known->description.response == core::ResponseSupport::only;
  const auto outcome = std::make_shared<base::Result<void>>();
  hub_->hub.services.call(std::move(request), [outcome](const base::Result<core::CallOutcome>& done) {
    if (!done) *outcome = std::unexpected(done.error());
  });
  hub_->hub.bus.run_pending();
  return *outcome;
}

base::Result<void> World::restart(base::Duration down, bool kill) {
  core::Hub& hub = hub_->hub;
  if (!kill) {
    hub.run_state = core::RunState::stopping;
    const auto context = core::Context::create(now());
    for (const std::string_view type : {core::event_type::kPlatformStop, core::event_type::kHomeassistantStop})
      hub.bus.fire(type, "{}", core::Origin::local, context);
    hub.bus.run_pending();
  }
  std::vector<core::StatePtr> states;
  GivenStates devices;
  hub.states.snapshot()->for_each([&](const core::State& state) {
    states.push_back(hub.states.find(state.entity_id()));
    if (hub_->devices.contains(state.entity_id()))
      devices[std::string(state.entity_id())] = {std::string(state.value()), state.attributes()};
  });
  core::RegistryData registry = stored(*hub.registry.snapshot());
  const base::Timestamp back = now() + down;
  leave();
  hub_.reset();
  begin(back, devices, std::move(states), std::move(registry));
  return {};
}

}  // namespace hearth::simulation
