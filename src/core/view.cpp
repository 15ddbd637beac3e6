// SPDX-License-Identifier: Apache-2.0
#include "core/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <set>

#include "core/client_entity.h"
#include "core/services/other_hub.h"

namespace hearth::core {
namespace {

// Events that reveal nothing about a home and that every page needs to stay up to date.
constexpr std::string_view kOfNobody[] = {
    event_type::kCoreConfigUpdated,  event_type::kServiceRegistered,       event_type::kServiceRemoved,
    event_type::kPlatformStart,      event_type::kPlatformStarted,         event_type::kPlatformStop,
    event_type::kPlatformFinalWrite, event_type::kHomeassistantStart,      event_type::kHomeassistantStarted,
    event_type::kHomeassistantStop,  event_type::kHomeassistantFinalWrite, event_type::kPanelsUpdated};

constexpr std::string_view kPin = "pin";

// Files of YAML make a number of it.
std::string pin_of(const json::object& data) {
  const json::value* const pin = data.if_contains(kPin);
  if (pin && pin->is_string()) return std::string(pin->get_string());
  return pin && pin->is_int64() ? std::to_string(pin->get_int64()) : std::string();
}

}  // namespace

Hub& View::administered() const {
  assert(rights_.administer());
  return *hub_;
}

IntegrationList View::integrations() const {
  IntegrationList list = *hub_->integrations.load();
  if (rights_.reads_all()) return list;
  for (IntegrationStatus& status : list) {
    status.error.clear();
    status.last_failure.clear();
  }
  return list;
}

std::shared_ptr<const std::vector<Issue>> View::issues() const {
  static const auto none = std::make_shared<const std::vector<Issue>>();
  return rights_.reads_all() ? hub_->repairs.list() : none;
}

AlertList View::alerts() const {
  AlertList list = *hub_->alerts.list();
  if (rights_.reads_all()) return list;
  const auto data = hub_->registry.snapshot();
  const ReadableRegistry readable(data, rights_);
  std::erase_if(list, [&](AlertPtr& alert) {
    if (readable.reads(alert->entity_id)) return false;
    if (!alert->rule->domain.empty()) return true;
    std::vector<std::string> parts = readable.entities_of_device(alert->device_id);
    std::erase_if(parts, [&](const std::string& id) {
      const RegisteredEntity* const entity = readable.find_entity(id);
      return !entity || entity->hidden_by || entity->entity_category || !readable.enabled(*entity);
    });
    if (parts.empty()) return true;
    Alert shown = *alert;
    shown.entity_id = *std::ranges::min_element(parts);
    shown.area_id = alert_area(*data, data->entities.find(shown.entity_id));
    alert = std::make_shared<const Alert>(std::move(shown));
    return false;
  });
  return list;
}

base::Result<void> View::snooze(const std::string& user_id, const std::vector<std::string>& ids,
                                const Context& context) const {
  AlertList wanted = alerts();
  const std::set<std::string_view> named(ids.begin(), ids.end());
  std::erase_if(wanted, [&](const AlertPtr& alert) { return !named.contains(alert->id); });
  if (wanted.empty()) return base::fail(base::ErrorCode::not_found, "alert_ids: there is no such alert, or no longer.");
  return core::snooze(hub_->registry, user_id, wanted, hub_->clock.now(), context);
}

bool View::reads(std::string_view entity_id) const {
  return rights_.reads_all() || rights_.reads(entity_id, *hub_->registry.snapshot());
}

StatePtr View::find(std::string_view entity_id) const {
  StatePtr state = hub_->states.find(entity_id);
  return state && reads(entity_id) ? state : nullptr;
}

ReadableStates View::states() const {
  if (rights_.reads_all()) return ReadableStates(hub_->states.snapshot());
  return {hub_->states.snapshot(), hub_->registry.snapshot(), rights_};
}

bool View::names_hidden(std::string_view json_text) const {
  if (rights_.reads_all()) return false;
  const ReadableRegistry readable = registry();
  const auto states = hub_->states.snapshot();
  const auto hidden = [&](std::string_view id) {
    return readable.hides(id) || (id.contains('.') && states->find(id) && !reads(id));
  };
  // Whole texts, such as an area's id, and the words in them, such as an entity in a template.
  for (std::size_t start = 0; (start = json_text.find('"', start)) != std::string_view::npos;) {
    std::size_t end = start + 1;
    while (end < json_text.size() && json_text[end] != '"') end += json_text[end] == '\\' ? 2 : 1;
    const std::string_view text = json_text.substr(start + 1, std::min(end, json_text.size()) - start - 1);
    if (hidden(text)) return true;
    const auto in_id = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.'; };
    for (auto at = text.begin(); at != text.end();) {
      const auto first = std::find_if(at, text.end(), in_id);
      at = std::find_if_not(first, text.end(), in_id);
      const std::string_view word(first, at);
      for (std::size_t begin = 0, dot = 0; (dot = word.find('.', begin)) != std::string_view::npos; begin = dot + 1) {
        if (hidden(word.substr(begin, word.find('.', dot + 1) - begin))) return true;
      }
    }
    start = std::min(end + 1, json_text.size());
  }
  return false;
}

void View::keep_readable(std::vector<std::string>& entity_ids) const {
  if (rights_.reads_all()) return;
  const auto registry = hub_->registry.snapshot();
  std::erase_if(entity_ids, [&](const std::string& id) { return !rights_.reads(id, *registry); });
}

base::Result<PicturePtr> View::picture(std::string_view entity_id, std::string_view token) const {
  const auto registry = hub_->registry.snapshot();
  const RegisteredEntity* const entity = registry->entities.find(entity_id);
  const bool opened = entity && hub_->pictures.opens(entity->id, token);
  const bool readable = opened || (entity && (rights_.reads_all() || rights_.reads(entity_id, *registry)));
  PicturePtr picture = readable ? hub_->pictures.find(entity->id) : nullptr;
  if (!picture) return base::fail(base::ErrorCode::not_found, "There is no picture of that entity.");
  return picture;
}

std::string View::elsewhere(std::string_view entity_id, std::string_view picture_token) const {
  const auto registry = hub_->registry.snapshot();
  const RegisteredEntity* const entity = registry->entities.find(entity_id);
  const std::string_view name = entity ? provider_of(*entity) : std::string_view();
  if (name.empty() || !hub_->other_hubs->has(name)) return {};
  const bool readable =
      hub_->pictures.opens(entity->id, picture_token) || rights_.reads_all() || rights_.reads(entity_id, *registry);
  return readable ? std::string(name) : std::string();
}

base::Result<void> View::ask_elsewhere(const std::string& name, std::size_t weight,
                                       std::function<void(OtherHub* hub)> ask) const {
  return post(EventBus::kSmallTask + weight,
              [hubs = hub_->other_hubs, name, ask = std::move(ask)] { ask(hubs->find(name)); });
}

void View::end_on_bus(std::shared_ptr<void> source) const {
  static_cast<void>(hub_->bus.post(IfFull::pass, EventBus::kSmallTask, [ended = std::move(source)] {}));
}

base::Result<void> View::may_control(std::string_view entity_id) const {
  if (rights_.controls_all() || rights_.controls(entity_id, *hub_->registry.snapshot())) return {};
  if (auto may = rights_.may_control(); !may) return may;
  return base::fail(base::ErrorCode::forbidden, fmt::format("This user may not control {}.", entity_id));
}

base::Result<StateMachine::Written> View::set(const EntityId& id, StateMachine::Write write) const {
  if (auto may = may_control(id.str()); !may) return std::unexpected(std::move(may.error()));
  write.if_full = IfFull::fail;
  return set_client_state(*hub_, id, std::move(write));
}

base::Result<StatePtr> View::remove(std::string_view entity_id, const Context& context) const {
  if (reads(entity_id)) {
    if (auto may = may_control(entity_id); !may) return std::unexpected(std::move(may.error()));
    return hub_->states.remove(entity_id, context, IfFull::fail);
  }
  if (auto may = rights_.may_control(); !may) return std::unexpected(std::move(may.error()));
  return base::fail(base::ErrorCode::not_found, "Entity not found.");
}

bool View::receives(const Event& event) const {
  if (rights_.reads_all()) return true;
  if (const StateChange* const change = event.state_change()) {
    return reads(change->entity_id());
  }
  if (event.by_client) return false;
  if (const RegistryChange* const change = event.registry_change.get()) {
    if (event.type == event_type::kEntityRegistryUpdated) return reads(change->id);
    if (event.type == event_type::kDeviceRegistryUpdated) return registry().reads_device(change->id);
    if (event.type == event_type::kAreaRegistryUpdated) return registry().reads_area(change->id);
    if (event.type == event_type::kFloorRegistryUpdated) return registry().reads_floor(change->id);
    if (event.type == event_type::kCollectionUpdated)
      return !is_document(change->collection) && registry().reads_item(change->collection, change->id);
    if (event.type == event_type::kLabelRegistryUpdated) return registry().reads_label(change->id);
    if (event.type == event_type::kCategoryRegistryUpdated) return registry().reads_category(change->id);
    if (event.type == event_type::kServiceRegistered || event.type == event_type::kServiceRemoved)
      return reads(change->id);
  }
  return std::ranges::find(kOfNobody, event.type) != std::end(kOfNobody);
}

EventPtr View::shown(const EventPtr& event) const {
  const std::string* const data = event->registry_change ? std::get_if<std::string>(&event->data) : nullptr;
  if (!data || !names_hidden(*data)) return event;
  json::object object = base::parse_json(*data).value().get_object();
  if (json::value* const changes = object.if_contains("changes")) {
    json::object& former = changes->get_object();
    json::object kept;
    for (const auto& [key, value] : former)
      if (!names_hidden(base::to_json(json::array{value}))) kept[key] = value;
    former = std::move(kept);
  }
  auto made = std::make_shared<Event>(*event);
  made->data = base::to_json(object);
  return made;
}

base::Result<void> View::fire(std::string_view type, std::string data_json, Origin origin,
                              const Context& context) const {
  if (auto may = rights_.may_fire_events(); !may) return may;
  const auto fired = hub_->bus.fire(IfFull::fail, type, std::move(data_json), origin, context, FiredBy::client);
  if (!fired) return std::unexpected(fired.error());
  return {};
}

std::shared_ptr<const ServiceRegistry::Services> View::services() const {
  auto all = hub_->services.snapshot();
  if (rights_.reads_all()) return all;
  const auto is_known = [this](const auto& named) { return hub_->services.knows(rights_, named.second->description); };
  auto known = std::make_shared<ServiceRegistry::Services>();
  for (const auto& [domain, of_domain] : *all) {
    auto kept = std::make_shared<ServiceRegistry::ServicesOfDomain>();
    std::ranges::copy_if(*of_domain, std::inserter(*kept, kept->end()), is_known);
    if (!kept->empty()) known->emplace(domain, std::move(kept));
  }
  return known;
}

void View::call(ServiceRequest request, ServiceRegistry::Done done) const {
  request.rights = rights_;
  const auto& user = request.context.user_id;
  request.rights.present({pin_of(request.data), std::string(user ? user->str() : std::string_view())});
  // A script may have a field of that name.
  const auto service = hub_->services.find(request.domain, request.service);
  if (!service || (!service->description.find(kPin) && !service->description.written_fields.contains(kPin)))
    request.data.erase(kPin);
  request.if_full = IfFull::fail;
  if (rights_.reads_all()) return hub_->services.call(std::move(request), std::move(done));
  hub_->services.call(std::move(request), [view = *this, done = std::move(done)](base::Result<CallOutcome> outcome) {
    if (outcome) {
      std::erase_if(outcome->changed, [&](const StatePtr& state) { return !view.reads(state->entity_id()); });
    }
    done(std::move(outcome));
  });
}

}  // namespace hearth::core
