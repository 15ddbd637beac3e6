// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/mirror.h"

#include <algorithm>

#include "integrations/home_assistant/mirror/mirror_parts.h"

namespace hearth::integrations::home_assistant {

Mirror::Mirror(const domains::IntegrationHome& home, const Options& options, ContextSource& contexts, HubLink& link,
               PicturePaths* pictures)
    : parts_(std::make_unique<Parts>(home, options, contexts, link, pictures)) {}
Mirror::~Mirror() = default;

void Mirror::start() {
  parts_->start();
}
void Mirror::stop() {
  parts_->stop();
}
void Mirror::forget() {
  parts_->forget();
}
void Mirror::connected(const OtherHub& hub) {
  parts_->connected(hub);
}
void Mirror::take(Registries registries) {
  parts_->add({std::move(registries)});
}
void Mirror::take(Picture picture) {
  parts_->add({std::move(picture)});
}
void Mirror::take(Changes changes) {
  parts_->skipped += changes.skipped;
  parts_->add({std::move(changes)});
}
void Mirror::take(Running) {}
void Mirror::lost() {
  parts_->lost();
}
void Mirror::take(Latency latency) {
  parts_->sensors.set_latency(latency.time);
}
void Mirror::contexts_changed() {
  parts_->states.contexts_changed();
}

const MirroredIds& Mirror::ids() const {
  return parts_->table;
}
const std::string& Mirror::provider() const {
  return parts_->table.provider_name();
}
bool Mirror::idle() const {
  return parts_->idle();
}

Counts Mirror::counts() const {
  Counts counts;
  for (const auto& [there, entity] : parts_->table.all()) {
    if (entity->refused) ++counts.invalid;
    switch (entity->fate) {
      case Fate::collision:
        ++counts.collisions;
        [[fallthrough]];
      case Fate::mirrored:
        ++counts.mirrored;
        break;
      case Fate::moved:
        ++counts.moved;
        break;
      case Fate::shadowed:
        ++counts.shadowed;
        break;
      case Fate::excluded:
        ++counts.excluded;
        break;
      case Fate::disabled_there:
      case Fate::disabled_here:
        ++counts.disabled;
        break;
      case Fate::mirrored_there:
        ++counts.mirrored_there;
        break;
      case Fate::left_out:
        ++counts.left_out;
        break;
      case Fate::invalid:
        ++counts.invalid;
        break;
    }
  }
  return counts;
}

std::vector<Listed> Mirror::list(std::optional<Fate> fate) const {
  std::vector<Listed> all;
  for (const auto& [there, entity] : parts_->table.all()) {
    const bool fits = !fate || entity->fate == *fate || (fate == Fate::invalid && entity->refused) ||
                      (fate == Fate::mirrored && entity->fate == Fate::collision);
    if (!fits) continue;
    all.push_back({.entity_id_there = entity->there,
                   .entity_id_here = std::string(entity->here ? entity->here->str() : ""),
                   .fate = entity->fate,
                   .detail = entity->detail.value_or("")});
  }
  std::ranges::sort(all, {}, &Listed::entity_id_there);
  return all;
}

std::uint64_t Mirror::skipped() const {
  return parts_->skipped;
}

std::vector<Difference> Mirror::differences(const std::set<std::string>* only) const {
  std::vector<Difference> all;
  const auto add = [&](std::string_view id, std::vector<Difference> found) {
    if (!only || only->contains(std::string(id))) std::ranges::move(found, std::back_inserter(all));
  };
  for (const auto& [there, entity] : parts_->table.all()) {
    if (entity->here) add(entity->here->str(), parts_->registrar.differences(*entity));
  }
  for (const auto& [there, here] : parts_->table.devices()) add(here, parts_->devices.differences(here));
  std::ranges::sort(all, {}, [](const Difference& each) { return std::tie(each.id, each.field); });
  return all;
}

base::Result<void> Mirror::take_again(const core::Context& context, const std::set<std::string>* only) {
  std::set<std::string> ids;
  for (const Difference& each : differences(only)) ids.insert(each.id);
  core::Registry& registry = parts_->home.hub.registry;
  for (const std::string& id : ids) {
    base::Result<void> done;
    if (const MirroredEntity* const entity = parts_->table.find_here(id)) {
      done = parts_->registrar.take_again(*entity, context);
    } else if (const auto edited = registry.update_device(id, parts_->devices.chosen(id), context); !edited) {
      done = std::unexpected(edited.error());
    }
    if (!done) return done;
  }
  return {};
}

base::Result<void> Mirror::adopt(const std::string& from, const std::string& to, const core::Context& context) {
  return parts_->moves.adopt(from, to, context);
}

}  // namespace hearth::integrations::home_assistant
