// SPDX-License-Identifier: Apache-2.0
#include "automation/items/scene_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/config/item_node.h"
#include "automation/config/parsing.h"
#include "automation/config/yaml_booleans.h"
#include "configured/unique_ids.h"
#include "core/values/entity_id.h"
#include "domains/scenes/scenes.h"

namespace hearth::automation {
namespace {

constexpr std::string_view kSceneState = "state";

// An unquoted on means the state `on`; every other text is as it is written.
base::Result<json::value> scene_state_of(const ConfigNode& node) {
  const auto text = node.text();
  if (!text) return std::unexpected(node.mismatch("a state, or an object with `state` and attributes"));
  return json::value(json::string(unquoted_state(node).value_or(*text)));
}

base::Result<json::value> wanted_of(const ConfigNode& node) {
  if (!node.is_map()) return scene_state_of(node);
  json::object wanted;
  for (const ConfigNode::Entry& entry : node.entries()) {
    if (entry.key != kSceneState) {
      wanted[entry.key] = written_as(entry.value);
      continue;
    }
    auto state = scene_state_of(entry.value);
    if (!state) return state;
    wanted[kSceneState] = std::move(*state);
  }
  if (!wanted.contains(kSceneState)) return std::unexpected(node.error("state is missing"));
  return wanted;
}

void read_entities(ConfigReader& in, const ConfigNode& scene, domains::SceneItem& item) {
  const ConfigNode* const node = in.find("entities");
  if (!node) return note_missing(in, scene, "entities");
  if (!node->is_map() && !node->is_empty()) return note(in, *node, node->mismatch("entities, each with a state"));
  if (node->entries().size() > domains::Scenes::kMaxEntities)
    return note(in, *node, fmt::format("expected at most {} entities", domains::Scenes::kMaxEntities));
  for (const ConfigNode::Entry& entry : node->entries()) {
    const auto id = core::EntityId::parse(core::lower_case(entry.key));
    if (!id)
      note(in, entry.value, "is not an entity such as light.kitchen");
    else
      item.entities[id->str()] = value_or_note(in, entry.value, wanted_of(entry.value));
  }
}

class SceneReader {
 public:
  explicit SceneReader(SceneConfiguration& made) : made_(made) {}

  void read(const ConfigNode& section) {
    if (const base::Error* const why = section.broken()) return made_.lose(why->message);
    for (const ConfigNode& whole : one_or_many(&section)) {
      if (const base::Error* const why = whole.broken())
        made_.lose(why->message);
      else if (is_empty_file(whole))
        continue;
      else if (!whole.is_map())
        made_.lose(whole.mismatch("a scene: keys with values").message);
      else
        scene(rerooted(whole, whole.place()));
    }
  }

 private:
  void scene(const ConfigNode& node) {
    domains::SceneItem item;
    item.place = place_of(node);
    ConfigReader in(node);
    item.name = read_text(in, "name");
    item.icon = read_text(in, "icon");
    item.unique_id = read_text(in, "id");
    item.has_id = !item.unique_id.empty();
    in.find("metadata");  // of editors
    read_entities(in, node, item);
    collect_broken(node, item.error);
    if (const auto read = in.finish(0); !read)
      item.error = item.error.empty() ? read.error().message : with_lines(item.error, read.error().message);
    if (base::to_json(written_as(node)).size() > kMaxItemBytes) item.error = node.error("is larger than 1 MiB").message;
    name(item, node);
    item.error = base::without_secrets(std::move(item.error), base::secrets_in(node));
    if (!item.error.empty()) item.entities.clear();
    if (const ConfigNode* const entities = node.find("entities"); entities && item.error.empty()) {
      for (const ConfigNode::Entry& entry : entities->entries()) {
        const ConfigNode* const state = entry.value.is_map() ? entry.value.find(kSceneState) : &entry.value;
        if (auto warning = unquoted_warning(*state)) made_.warnings.push_back(std::move(*warning));
      }
    }
    made_.plans.push_back(std::make_shared<const domains::SceneItem>(std::move(item)));
  }

  // Gives it what it is known by.
  void name(domains::SceneItem& item, const ConfigNode& node) {
    ++count_;
    const std::string by_name = core::slugify(item.name), by_id = core::slugify(item.unique_id);
    item.object_id = !by_name.empty() ? by_name : !by_id.empty() ? by_id : fmt::format("scene_{}", count_);
    if (item.name.empty()) item.name = item.object_id;
    if (!item.has_id) item.unique_id = item.object_id;
    if (const std::string* const known = ids_.place_of(item.unique_id); known && item.has_id) {
      const std::string twice =
          node.find("id")
              ->error(fmt::format("the scene {} is there twice, also at {}", item.unique_id, *known))
              .message;
      item.error = item.error.empty() ? twice : with_lines(item.error, twice);
    }
    item.unique_id = ids_.claim("", item.unique_id, item.place);
  }

  SceneConfiguration& made_;
  configured::UniqueIds ids_;
  std::size_t count_ = 0;
};

}  // namespace

SceneConfiguration parse_scenes(const Sections& sections) {
  SceneConfiguration made;
  SceneReader reader(made);
  for (const ConfigNode& section : sections.scenes) reader.read(section);
  return made;
}

}  // namespace hearth::automation
