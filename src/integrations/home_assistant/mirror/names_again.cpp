// SPDX-License-Identifier: Apache-2.0
// Names, areas and the like that people chose there, once more.
#include "base/json/json_fields.h"
#include "integrations/home_assistant/mirror/registrar.h"
#include "integrations/home_assistant/mirror/texts.h"

namespace hearth::integrations::home_assistant {
namespace {

json::value json_of(const OptionalText& text) {
  return text ? json::value(*text) : json::value();
}

json::value json_of(const core::Texts& texts) {
  return json::array(texts.begin(), texts.end());
}

core::Texts texts_of(const std::vector<std::string>& given) {
  core::Texts texts;
  for (const std::string& each : given) {
    if (!each.empty() && texts.size() < core::Registry::kMaxTexts) texts.insert(fit(each));
  }
  return texts;
}

}  // namespace

std::vector<Difference> Registrar::differences(const MirroredEntity& entity) const {
  std::vector<Difference> all;
  const auto data = home_.hub.registry.snapshot();
  const core::RegisteredEntity* const entry = entity.here ? data->entities.find(entity.here->str()) : nullptr;
  if (!entry || !entity.chosen || !entity.mirrored()) return all;
  const ChosenThere& chosen = *entity.chosen;
  const auto note = [&](std::string_view field, const auto& here, const auto& there) {
    if (!(here == there)) all.push_back({entry->entity_id, std::string(field), json_of(here), json_of(there)});
  };
  const OptionalText area = places_.known_area(chosen.area_id);
  if (chosen.name) note("name", entry->name, OptionalText(fit(options_.name_prefix + *chosen.name)));
  if (chosen.icon) note("icon", entry->icon, chosen.icon);
  if (chosen.device_class) note("device_class", entry->device_class, chosen.device_class);
  if (area) note("area_id", entry->area_id, area);
  if (!chosen.labels.empty()) note("labels", entry->labels, places_.known_labels(chosen.labels));
  if (!chosen.aliases.empty()) note("aliases", entry->aliases, texts_of(chosen.aliases));
  const std::string domain(entry->domain());
  const json::value& there = base::value_at(chosen.options, domain);
  if (there.is_object() && base::value_at(entry->options, domain) != there)
    all.push_back({entry->entity_id, "options", base::value_at(entry->options, domain), there});
  return all;
}

base::Result<void> Registrar::take_again(const MirroredEntity& entity, const core::Context& context) {
  if (!entity.here || !entity.chosen || !entity.mirrored()) return {};
  const ChosenThere& chosen = *entity.chosen;
  core::EntityEdit edit;
  if (chosen.name) edit.name = OptionalText(fit(options_.name_prefix + *chosen.name));
  if (chosen.icon) edit.icon = chosen.icon;
  if (chosen.device_class) edit.device_class = chosen.device_class;
  if (OptionalText area = places_.area(chosen.area_id)) edit.area_id = std::move(area);
  if (!chosen.labels.empty()) edit.labels = places_.labels(chosen.labels);
  if (!chosen.aliases.empty()) edit.aliases = texts_of(chosen.aliases);
  const std::string domain(entity.here->domain());
  if (const json::value& there = base::value_at(chosen.options, domain); there.is_object())
    edit.options.emplace(domain, there.get_object());
  const auto edited = home_.hub.registry.update_entity(std::string(entity.here->str()), std::move(edit), context);
  if (!edited) return std::unexpected(edited.error());
  return {};
}

}  // namespace hearth::integrations::home_assistant
