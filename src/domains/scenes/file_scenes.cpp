// SPDX-License-Identifier: Apache-2.0
#include "domains/scenes/file_scenes.h"

#include "base/log/log.h"
#include "configured/clear_left.h"
#include "core/values/entity_id.h"
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace {

// As clients know scenes of files; those that people create are of `scene`.
constexpr std::string_view kOfFiles = FileScenes::kIntegration;

}  // namespace

class FileScenes::Scene final : public ThingDevice {
 public:
  using Item = std::shared_ptr<const SceneItem>;

  Scene(FileScenes& all, Item item) : all_(all) { apply(std::move(item)); }

  // Fails as EntityTable::add.
  base::Result<void> add() {
    const auto registry = all_.hub_.registry.snapshot();
    const core::RegisteredEntity* const known = registry->find_entity(kOfFiles, kScene.domain, item_->unique_id);
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
  const SceneItem& plan() const { return *item_; }

  void withdraw() { const auto gone = all_.entities_.withdraw(entity_id()); }
  void replace(Item item) {
    apply(std::move(item));
    all_.entities_.describe(*thing_, info());
    show();
    thing_->set_available(item_->error.empty());
  }

  base::Result<void> check(const Action&, const json::object&) const override {
    return all_.scenes_.check_pins(desired_, thing_->caller());
  }

  void act(const Action&, const json::object& data) override {
    core::ServiceRequest as;
    as.context = thing_->command_context();
    as.rights = thing_->caller();
    const json::value* const seconds = data.if_contains("transition");
    const auto transition = seconds ? std::optional(seconds->to_number<double>()) : std::nullopt;
    std::vector<DesiredState> possible;
    for (const DesiredState& desired : all_.scenes_.controlled(desired_, as.rights)) {
      const core::StatePtr now = all_.hub_.states.find(desired.entity_id);
      const auto calls = now ? calls_for(desired, *now, transition) : base::Result<std::vector<DesiredCall>>();
      if (calls)
        possible.push_back(desired);
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
            .unique_id = item_->unique_id,
            .object_id = item_->object_id,
            .name = item_->name,
            .icon = item_->icon,
            .available = item_->error.empty()};
  }

  void apply(Item item) {
    item_ = std::move(item);
    desired_.clear();
    for (const auto& [id, wanted] : item_->entities) {
      if (auto desired = DesiredState::parse(id, wanted))
        desired_.push_back(std::move(*desired));
      else
        base::log_warning("domains", "{}: the scene {} leaves out {}", item_->place, item_->name,
                          desired.error().message);
    }
  }

  void show() {
    json::array ids;
    for (const auto& [id, wanted] : item_->entities) ids.emplace_back(id);
    thing_->set_extra_attributes(item_->has_id ? json::object{{"id", item_->unique_id}} : json::object());
    thing_->report({.attributes = {{"entity_id", std::move(ids)}}});
  }

  FileScenes& all_;
  Item item_;
  std::vector<DesiredState> desired_;
  Thing* thing_ = nullptr;
};

FileScenes::FileScenes(core::Hub& hub, EntityTable& entities, Scenes& scenes)
    : hub_(hub), entities_(entities), scenes_(scenes) {}

FileScenes::~FileScenes() = default;

void FileScenes::add_services(configured::Reload reload) {
  reload_ = configured::add_reload(hub_, kScene.domain, "Reads the files of scenes again.", std::move(reload));
}

void FileScenes::apply(const configured::Section<std::shared_ptr<const SceneItem>>& scenes) {
  std::vector<configured::Fault> faults = configured::report(scenes, "scene");
  present_.apply(scenes.plans, scenes.complete, [&](const Scene::Item& item) {
    auto scene = std::make_unique<Scene>(*this, item);
    if (const auto added = scene->add(); !added) {
      faults.push_back(configured::fault_at_place(item->place + ": " + added.error().message));
      base::log_warning("scene", "{}", faults.back().error);
      scene.reset();
    }
    return scene;
  });
  configured::clear_left(hub_, scenes.complete, [&](const std::string& id, const core::RegisteredEntity& registered) {
    return registered.integration == kOfFiles && id.starts_with("scene.") && !present_.find(registered.unique_id);
  });
  for (const auto& item : scenes.plans) {
    if (item->error.empty()) continue;
    const Scene* const scene = present_.find(item->unique_id);
    faults.push_back(
        {"scene " + item->unique_id, scene ? std::string(scene->entity_id()) : std::string(), item->name, item->error});
    base::log_lines(base::LogLevel::warning, "scene", item->error);
  }
  faults_.publish(std::move(faults));
}

}  // namespace hearth::domains
