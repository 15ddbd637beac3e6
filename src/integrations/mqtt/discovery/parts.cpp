// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/discovery/parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "integrations/mqtt/components/component.h"
#include "integrations/mqtt/components/thing_entity.h"
#include "integrations/mqtt/discovery/plan.h"

namespace hearth::integrations::mqtt {

Parts::Identity Parts::ByIdentity::of(const Part* part) {
  return {part->entity->component().kind->domain, part->entity->info().unique_id};
}

Parts::Parts(const domains::IntegrationHome& home, core::MqttBroker& broker)
    : templates_(home.hub),
      last_values_(home),
      entity_home_{home.hub, home.domains, home.bus, broker, templates_, complaints_, last_values_},
      devices_(home) {}

void Parts::apply(Source& source, Description description) {
  const auto found =
      std::ranges::find_if(source.parts, [&](const auto& part) { return part->name == description.part; });
  if (description.removed) {
    if (found == source.parts.end()) return;
    end(**found);
    source.parts.erase(found);
    return;
  }
  Part* part = found == source.parts.end() ? nullptr : found->get();
  if (!part) part = source.parts.emplace_back(std::make_unique<Part>()).get();
  part->source = &source;
  if (!part->component.empty() && part->component != description.component && description.refusal.empty()) end(*part);
  part->name = description.part;
  if (part->component.empty() || description.refusal.empty()) part->component = description.component;
  part->refusal = description.refusal;
  if (part->refusal.empty()) {
    if (auto made = make(*part, description); !made) part->refusal = made.error().message;
  }
  part->dropped = std::move(description.dropped);
}

void Parts::end_others(Source& source, const std::vector<Description>& described) {
  std::erase_if(source.parts, [&](const std::unique_ptr<Part>& part) {
    const bool stays = std::ranges::find(described, part->name, &Description::part) != described.end();
    if (!stays) end(*part);
    return !stays;
  });
}

void Parts::end(Source& source) {
  for (const auto& part : source.parts) end(*part);
  source.parts.clear();
}

void Parts::stop(Source& source) {
  for (const auto& part : source.parts) {
    if (part->entity) part->entity->stop();
    part->trigger.reset();
    part->reader.reset();
  }
}

void Parts::stop() {
  entity_home_.fetcher.reset();
  devices_.stop();
  last_values_.stop();
}

void Parts::connection_changed(const Source& source) {
  for (const auto& part : source.parts) {
    if (part->entity) part->entity->connection_changed();
  }
}

base::Result<void> Parts::make(Part& part, Description& description) {
  const core::Device device = description.device ? devices_.put(*description.device) : core::Device();
  base::Result<void> made;
  const auto take = [&](auto created, auto& into) -> base::Result<void> {
    if (!created) return std::unexpected(created.error());
    into = std::move(*created);
    return {};
  };
  if (part.component == "device_automation")
    made = take(Trigger::create(entity_home_, description, device.id), part.trigger);
  else if (part.component == "tag")
    made = take(TagReader::create(entity_home_, description, device.id), part.reader);
  else
    made = make_entity(part, description, device);
  if (made) {
    move(part, device.id);
  }
  return made;
}

base::Result<void> Parts::make_entity(Part& part, Description& description, const core::Device& device) {
  auto plan = plan_entity(description, device.id, device.name.value_or(""), templates_);
  if (!plan) return std::unexpected(plan.error());
  const Identity identity(plan->component->kind->domain, plan->info.unique_id);
  const auto owner = owners_.find(identity);
  if (owner != owners_.end() && *owner != &part) {
    if (!(*owner)->source->migrating) {
      return base::fail(base::ErrorCode::invalid,
                        fmt::format("unique_id: {} is in use by {}", base::utf8_excerpt(plan->info.unique_id),
                                    (*owner)->entity->entity_id()));
    }
    leave(**owner);
  }
  if (part.entity) {
    if (part.entity->info().unique_id == plan->info.unique_id)
      leave(part);
    else
      end(part);
  }
  if (entity_home_.subscriptions + plan->availability.topics().size() >= kMaxSubscriptions) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("expected at most {} topics that are read, of all devices", kMaxSubscriptions));
  }
  const Component& component = *plan->component;
  part.entity = component.create ? component.create(entity_home_, std::move(*plan))
                                 : std::make_unique<ThingEntity>(entity_home_, std::move(*plan));
  if (auto started = part.entity->start(); !started) {
    part.entity.reset();
    return started;
  }
  owners_.insert(&part);
  return {};
}

void Parts::leave(Part& part) {
  if (part.entity) {
    owners_.erase(&part);
    complaints_.forget(part.entity->entity_id());
    part.entity->withdraw();
  }
  part.entity.reset();
}

void Parts::end(Part& part) {
  if (part.entity) {
    owners_.erase(&part);
    complaints_.forget(part.entity->entity_id());
    part.entity->remove();
  }
  part.entity.reset();
  part.trigger.reset();
  part.reader.reset();
  move(part, {});
}

void Parts::move(Part& part, const std::string& device_id) {
  if (part.device_id == device_id) return;
  devices_.join(device_id);
  devices_.leave(std::exchange(part.device_id, device_id));
}

void Parts::report(json::array& rows, std::string_view place, const Source& source) {
  if (!source.refusal.empty() || source.parts.empty()) {
    rows.push_back(json::object{{"topic", place},
                                {"verdict", "refused"},
                                {"dropped", json::array()},
                                {"reason", source.refusal.empty() ? json::value() : json::value(source.refusal)},
                                {"entity_id", nullptr}});
    if (!source.refusal.empty()) return;
  }
  for (const auto& part : source.parts) {
    json::array dropped;
    std::string reason = part->refusal;
    for (const DroppedKey& key : part->dropped) {
      dropped.emplace_back(key.key);
      if (part->refusal.empty()) reason += fmt::format("{}{}: {}", reason.empty() ? "" : "; ", key.key, key.reason);
    }
    const bool refused = !part->refusal.empty();
    const std::string_view verdict = refused           ? "refused"
                                     : part->trigger   ? "trigger"
                                     : dropped.empty() ? "made"
                                                       : "dropped";
    json::object row{{"topic", place},
                     {"verdict", verdict},
                     {"dropped", std::move(dropped)},
                     {"reason", reason.empty() ? json::value() : json::value(reason)},
                     {"entity_id", part->entity ? json::value(part->entity->entity_id()) : json::value()}};
    if (!part->name.empty()) row["component"] = part->name;
    rows.push_back(std::move(row));
  }
}

void Parts::debug_info(json::object& info, std::string_view place, const Source& source, std::string_view device_id,
                       const std::function<json::object(const Part& part)>& keys_of) const {
  const auto messages_of = [](const auto& topics, const RecentMessages& messages) {
    json::array list;
    for (const std::string_view topic : topics)
      list.push_back(json::object{{"topic", topic}, {"messages", messages.of_topic(topic)}});
    return list;
  };
  for (const auto& part : source.parts) {
    if (part->device_id != device_id) continue;
    json::object data{{"topic", place}, {"payload", keys_of(*part)}};
    if (part->entity) {
      info["entities"].as_array().push_back(
          json::object{{"entity_id", part->entity->entity_id()},
                       {"subscriptions", messages_of(part->entity->topics_read(), entity_home_.received)},
                       {"discovery_data", std::move(data)},
                       {"transmitted", messages_of(part->entity->topics_written(), entity_home_.sent)}});
    } else if (part->trigger) {
      info["triggers"].as_array().push_back(
          json::object{{"discovery_data", std::move(data)}, {"trigger_key", part->trigger->description()}});
    }
  }
}

}  // namespace hearth::integrations::mqtt
