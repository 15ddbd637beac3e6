// SPDX-License-Identifier: Apache-2.0
#include "core/registry/registry_edit.h"

#include <fmt/format.h>

#include "base/pin.h"
#include "base/text/utf8.h"

namespace hearth::core {
namespace {

using base::ErrorCode;
using base::Result;

constexpr std::string_view kSpaces = " \t\r\n";

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kSpaces) - first + 1));
}

// The form of a name that is compared.
std::string plain(std::string_view name) {
  std::string text = lower_case(name);
  std::erase_if(text, [](char c) { return kSpaces.contains(c); });
  return text;
}

}  // namespace

bool same_name(std::string_view one, std::string_view other) {
  return plain(one) == plain(other);
}

namespace {

Result<void> check_length(std::string_view key, std::string_view text) {
  const auto length = base::utf8_length(text);
  if (length && *length <= Registry::kMaxTextLength) return {};
  return base::fail(ErrorCode::invalid,
                    fmt::format("{}: expected at most {} characters", key, Registry::kMaxTextLength));
}

Result<void> set_text(std::string_view key, std::optional<OptionalText>& from, OptionalText& to) {
  if (!from) return {};
  if (*from) {
    if (auto fits = check_length(key, **from); !fits) return fits;
    *from = trimmed(**from);
  }
  to = *from && !(*from)->empty() ? std::move(*from) : OptionalText();
  return {};
}

Result<void> set_texts(std::string_view key, std::optional<Texts>& from, Texts& to) {
  if (!from) return {};
  if (from->size() > Registry::kMaxTexts) {
    return base::fail(ErrorCode::invalid, fmt::format("{}: expected at most {} of them", key, Registry::kMaxTexts));
  }
  Texts texts;
  for (const std::string& text : *from) {
    if (auto fits = check_length(key, text); !fits) return fits;
    if (auto kept = trimmed(text); !kept.empty()) texts.insert(std::move(kept));
  }
  to = std::move(texts);
  return {};
}

// Labels, each named by its id or by its name.
Result<void> set_labels(std::optional<Texts>& from, Texts& to, const RegistryData& data) {
  if (!from) return {};
  Texts labels;
  if (auto done = set_texts("labels", from, labels); !done) return done;
  to.clear();
  for (const std::string& label : labels) {
    std::string id = label;
    if (!data.find_item(kLabels, label)) {
      for (const Item* const known : data.items_of(kLabels))
        if (same_name(known->fields.at("name").get_string(), label)) id = known->id;
    }
    to.insert(std::move(id));
  }
  return {};
}

Result<void> set_categories(const std::optional<std::map<std::string, OptionalText>>& from, TextMap& to,
                            const RegistryData& data) {
  if (!from) return {};
  for (const auto& [scope, id] : *from) {
    if (!id) {
      to.erase(scope);
      continue;
    }
    const Item* const category = data.find_item(kCategories, *id);
    if (!category || scope_of(*category) != scope) {
      return base::fail(ErrorCode::invalid, fmt::format("categories.{}: there is no category {}",
                                                        base::utf8_excerpt(scope), base::utf8_excerpt(*id)));
    }
    to[scope] = *id;
  }
  return {};
}

// An entity of the domain, or null.
Result<void> set_sensor(std::string_view key, std::optional<OptionalText>& from, OptionalText& to) {
  if (!from) return {};
  if (*from) {
    const auto id = EntityId::parse(**from);
    if (!id || id->domain() != "sensor")
      return base::fail(ErrorCode::invalid, fmt::format("{}: expected the id of a sensor", key));
    *from = std::string(id->str());
  }
  to = std::move(*from);
  return {};
}

// Sets the name of an area or a floor; `others` are all of its kind.
Result<void> set_name(std::optional<std::string>& from, auto& entry, const auto& others) {
  if (!from) return {};
  if (auto fits = check_length("name", *from); !fits) return fits;
  std::string name = trimmed(*from);
  if (name.empty()) return base::fail(ErrorCode::invalid, "name: expected a text that is not empty");
  for (const auto& [id, other] : others) {
    if (id == entry.id || !same_name(other.name, name)) continue;
    return base::fail(ErrorCode::conflict, fmt::format("The name {} is already in use by {}.", base::utf8_excerpt(name),
                                                       base::utf8_excerpt(other.name)));
  }
  entry.name = std::move(name);
  return {};
}

// The id of another entry; null or an empty text, which clients send for null, if there is none.
Result<void> set_reference(std::string_view key, std::optional<OptionalText>& from, OptionalText& to,
                           const auto& entries) {
  if (!from) return {};
  if (*from && (*from)->empty()) from->reset();
  if (*from && !entries.contains(**from)) {
    return base::fail(ErrorCode::invalid, fmt::format("{}: there is no {}", key, base::utf8_excerpt(**from)));
  }
  to = std::move(*from);
  return {};
}

Result<void> set_by(std::string_view key, const std::optional<std::optional<ChangedBy>>& from,
                    std::optional<ChangedBy>& to) {
  if (!from || *from == to) return {};
  if (*from == ChangedBy::integration) {
    return base::fail(ErrorCode::invalid, fmt::format("{}: expected null or user; the rest is the integration's", key));
  }
  to = *from;
  return {};
}

// The keys that the hub itself reads in them.
Result<void> check_sensor(const json::object& options) {
  constexpr std::int64_t kMostDecimals = 10;
  for (const auto& [key, value] : options) {
    if (value.is_null()) continue;
    if (key == "unit_of_measurement" && !value.is_string())
      return base::fail(ErrorCode::invalid, "options.unit_of_measurement: expected a text or null");
    const std::int64_t* const number = value.if_int64();
    if (key == "display_precision" && (!number || *number < 0 || *number > kMostDecimals)) {
      return base::fail(
          ErrorCode::invalid,
          fmt::format("options.display_precision: expected a whole number from 0 to {} or null", kMostDecimals));
    }
  }
  return {};
}

// True if people are asked before the entity opens or sounds, or have to give a PIN: {"ask": false}, or {"ask": "pin",
// "pin": "1234"}. Of the PIN its hash is kept; without one the former stays.
Result<void> set_asking(std::optional<json::object>& options, std::string& hash) {
  const json::value ask = options && options->contains("ask") ? options->at("ask") : json::value();
  if (ask != "pin") {
    if (!ask.is_null() && !ask.is_bool())
      return base::fail(ErrorCode::invalid, "options.ask: expected true, false or pin");
    hash.clear();
    if (options) options->erase("pin");
    return {};
  }
  const json::value* const pin = options->if_contains("pin");
  if (!pin && !hash.empty()) return {};
  if (!pin || !pin->is_string() || !base::is_pin(pin->get_string()))
    return base::fail(ErrorCode::invalid, "options.pin: expected a text of 4 to 12 digits");
  auto made = base::hash_pin(pin->get_string());
  if (!made) return std::unexpected(std::move(made.error()));
  hash = std::move(*made);
  options->erase("pin");
  return {};
}

Result<void> set_options(std::optional<std::pair<std::string, std::optional<json::object>>>& from,
                         RegisteredEntity& entity) {
  if (!from) return {};
  json::object& to = entity.options;
  auto& [domain, options] = *from;
  if (domain.empty()) return base::fail(ErrorCode::invalid, "options_domain: expected a text that is not empty");
  if (domain == "hearth") {
    if (auto good = set_asking(options, entity.pin_hash); !good) return good;
  }
  if (!options) {
    to.erase(domain);
    return {};
  }
  if (domain == "sensor") {
    if (auto fits = check_sensor(*options); !fits) return fits;
  }
  to[domain] = std::move(*options);
  if (base::to_json(to).size() <= Registry::kMaxOptions) return {};
  return base::fail(ErrorCode::invalid, fmt::format("options: all of an entity together have at most {} bytes as JSON",
                                                    Registry::kMaxOptions));
}

Result<void> set_entity_id(const std::optional<std::string>& from, RegisteredEntity& entity, const RegistryData& data) {
  if (!from) return {};
  const auto id = EntityId::parse(*from);
  if (!id) return base::fail(ErrorCode::invalid, "new_entity_id: " + id.error().message);
  if (id->str() == entity.entity_id) return {};
  if (id->domain() != entity.domain()) {
    return base::fail(ErrorCode::invalid,
                      fmt::format("new_entity_id: expected an id of the domain {}", entity.domain()));
  }
  if (data.entities.contains(id->str())) {
    return base::fail(ErrorCode::conflict, fmt::format("new_entity_id: there is an entity {} already", id->str()));
  }
  entity.entity_id = id->str();
  return {};
}

// The first failure.
Result<void> all(std::initializer_list<Result<void>> results) {
  for (const auto& result : results) {
    if (!result) return result;
  }
  return {};
}

}  // namespace

Result<void> apply(FloorEdit edit, Floor& floor, const RegistryData& data) {
  if (edit.level) floor.level = *edit.level;
  return all({set_name(edit.name, floor, data.floors), set_text("icon", edit.icon, floor.icon),
              set_texts("aliases", edit.aliases, floor.aliases)});
}

Result<void> apply(AreaEdit edit, Area& area, const RegistryData& data) {
  return all({set_name(edit.name, area, data.areas),
              set_reference("floor_id", edit.floor_id, area.floor_id, data.floors),
              set_text("icon", edit.icon, area.icon), set_text("picture", edit.picture, area.picture),
              set_texts("aliases", edit.aliases, area.aliases), set_labels(edit.labels, area.labels, data),
              set_sensor("temperature_entity_id", edit.temperature_entity_id, area.temperature_entity_id),
              set_sensor("humidity_entity_id", edit.humidity_entity_id, area.humidity_entity_id)});
}

Result<void> apply(DeviceEdit edit, Device& device, const RegistryData& data) {
  return all({set_text("name_by_user", edit.name_by_user, device.name_by_user),
              set_reference("area_id", edit.area_id, device.area_id, data.areas),
              set_by("disabled_by", edit.disabled_by, device.disabled_by),
              set_labels(edit.labels, device.labels, data)});
}

Result<void> apply(EntityEdit edit, RegisteredEntity& entity, const RegistryData& data) {
  return all({set_text("name", edit.name, entity.name), set_text("icon", edit.icon, entity.icon),
              set_text("device_class", edit.device_class, entity.device_class),
              set_reference("area_id", edit.area_id, entity.area_id, data.areas),
              set_by("disabled_by", edit.disabled_by, entity.disabled_by),
              set_by("hidden_by", edit.hidden_by, entity.hidden_by), set_labels(edit.labels, entity.labels, data),
              set_categories(edit.categories, entity.categories, data),
              set_texts("aliases", edit.aliases, entity.aliases), set_options(edit.options, entity),
              set_entity_id(edit.new_entity_id, entity, data)});
}

}  // namespace hearth::core
