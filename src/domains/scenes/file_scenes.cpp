// SPDX-License-Identifier: Apache-2.0
#include "domains/scenes/file_scenes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log/log.h"
#include "core/values/entity_id.h"
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace {

// As clients know scenes of files; those that people create are of `scene`.
constexpr std::string_view kOfFiles = FileScenes::kIntegration;

// Wherever in the files they stand.
bool same(const SceneItem& one, SceneItem other) {
  other.place = one.place;
  return one == other;
}

}  // namespace

class FileScenes::Scene final : public ThingDevice {
 public:
  Scene(FileScenes& all, SceneItem item) : all_(all) { apply(std::move(item)); }

  // Fails as EntityTable::add.
  base::Result<void> add() {
    const auto registry = all_.hub_.registry.snapshot();
    const core::RegisteredEntity* const known = registry->find_entity(kOfFiles, kScene.domain, item_.unique_id);
    const core::StatePtr last = known ? all_.hub_.states.find(known->entity_id) : nullptr;
    auto thing = std::make_unique<Thing>(kScene, info(), Abilities(), this);
    thing_ = thing.get();
    if (last) thing->report(restored(kScene, {}, *last));
    show();
    const auto added = all_.entities_.add(std::move(thing));
    if (!added) return std::unexpected(added.error());
    return {};
  }
  std::string_view entity_id() const { return thing_->entity_id(); }
  const SceneItem& item() const { return item_; }

  void replace(SceneItem item) {
    apply(std::move(item));
    all_.entities_.describe(*thing_, info());
    show();
    thing_->set_available(item_.error.empty());
  }

  void act(const Action&, const json::object& data) override {
    core::ServiceRequest as;
    as.context = thing_->command_context();
    const json::value* const seconds = data.if_contains("transition");
    const auto transition = seconds ? std::optional(seconds->to_number<double>()) : std::nullopt;
    std::vector<DesiredState> possible;
    const std::vector<DesiredState> all = all_.scenes_.spread(wishes_);
    for (const DesiredState& wish : all) {
      const core::StatePtr now = all_.hub_.states.find(wish.entity_id);
      const auto calls = now ? calls_for(wish, *now, transition) : base::Result<std::vector<DesiredCall>>();
      if (calls)
        possible.push_back(wish);
      else
        base::log_warning("domains", "{} leaves out {}", entity_id(), calls.error().message);
    }
    all_.scenes_.apply(possible, transition, as,
                       [id = std::string(entity_id())](const base::Result<json::value>& done) {
                         if (!done) base::log_warning("domains", "{}: {}", id, done.error().message);
                       });
  }

 private:
  EntityInfo info() const {
    return {.integration = std::string(kOfFiles),
            .unique_id = item_.unique_id,
            .object_id = item_.object_id,
            .name = item_.name,
            .icon = item_.icon,
            .available = item_.error.empty()};
  }

  void apply(SceneItem item) {
    item_ = std::move(item);
    wishes_.clear();
    for (const auto& [id, wanted] : item_.entities) {
      if (auto wish = DesiredState::parse(id, wanted))
        wishes_.push_back(std::move(*wish));
      else
        base::log_warning("domains", "{}: the scene {} leaves out {}", item_.place, item_.name, wish.error().message);
    }
  }

  void show() {
    json::array ids;
    for (const auto& [id, wanted] : item_.entities) ids.emplace_back(id);
    thing_->set_extra_attributes(item_.has_id ? json::object{{"id", item_.unique_id}} : json::object());
    thing_->report({.attributes = {{"entity_id", std::move(ids)}}});
  }

  FileScenes& all_;
  SceneItem item_;
  std::vector<DesiredState> wishes_;
  Thing* thing_ = nullptr;
};

FileScenes::FileScenes(core::Hub& hub, EntityTable& entities, Scenes& scenes)
    : hub_(hub), entities_(entities), scenes_(scenes) {}

FileScenes::~FileScenes() = default;

std::vector<std::string> FileScenes::apply(const std::vector<SceneItem>& items, bool complete) {
  std::vector<std::string> left_out;
  std::erase_if(present_, [&](const auto& each) {
    const bool named = std::ranges::find(items, each.first, &SceneItem::unique_id) != items.end();
    if (named || !complete) return false;
    const auto gone = entities_.withdraw(each.second->entity_id());
    return true;
  });
  for (const SceneItem& item : items) {
    const auto known = present_.find(item.unique_id);
    if (known == present_.end()) {
      auto scene = std::make_unique<Scene>(*this, item);
      if (const auto added = scene->add())
        present_.emplace(item.unique_id, std::move(scene));
      else
        left_out.push_back(fmt::format("{}: {}", item.place, added.error().message));
    } else if (const SceneItem& former = known->second->item();
               !same(former, item) && (item.error.empty() || !former.error.empty())) {
      known->second->replace(item);
    }
  }
  clear_left(complete);
  return left_out;
}

std::string_view FileScenes::entity_id(std::string_view unique_id) const {
  const auto found = present_.find(unique_id);
  return found == present_.end() ? std::string_view() : found->second->entity_id();
}

void FileScenes::clear_left(bool complete) const {
  const auto registry = hub_.registry.snapshot();
  const auto context = core::Context::create(hub_.clock.now());
  for (const auto& [id, registered] : registry->entities) {
    if (registered.integration != kOfFiles || !id.starts_with("scene.") || present_.contains(registered.unique_id))
      continue;
    const core::StatePtr state = hub_.states.find(id);
    if (!state) continue;
    if (complete)
      static_cast<void>(hub_.states.remove(id, context));
    else
      static_cast<void>(
          hub_.states.set(core::EntityId::parse(id).value(), {core::kUnavailable, state->attributes_json(), context}));
  }
}

}  // namespace hearth::domains
