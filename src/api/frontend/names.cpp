// SPDX-License-Identifier: Apache-2.0
#include "api/frontend/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "domains/entities/kinds.h"

namespace hearth::api {
namespace {

using domains::Action;
using domains::Kind;

constexpr std::string_view kFile = "/assets/names.json", kEnglish = "en";

// Null if there is none.
const json::value* at(const json::object& object, std::string_view key) {
  return object.if_contains(key);
}

const json::object& object_at(const json::object& object, std::string_view key) {
  static const json::object none;
  const json::value* const value = at(object, key);
  return value && value->is_object() ? value->get_object() : none;
}

std::optional<std::string_view> text_at(const json::object& object, std::string_view key) {
  const json::value* const value = at(object, key);
  if (!value || !value->is_string()) return {};
  return value->get_string();
}

void add(std::string& members, std::string_view key, std::string_view text) {
  if (!members.empty()) members += ',';
  base::write_json_string(members, key);
  members += ':';
  base::write_json_string(members, text);
}

std::string joined(const auto& rows, const std::set<std::string, std::less<>>* wanted) {
  std::string object = "{";
  for (const auto& [domain, members] : rows) {
    if (members.empty() || (wanted && !wanted->contains(domain))) continue;
    if (object.size() > 1) object += ',';
    object += members;
  }
  return object += '}';
}

// "Set temperature" for set_temperature.
std::string spaced(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '_', ' ');
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

// {"default":…,"state":{…}} of what is drawn at rest and, for the active values, otherwise.
std::string drawn(const json::array& icons, core::Words values, const json::array& active,
                  const json::object& of_states) {
  json::object states;
  for (const auto& [state, icon] : of_states) states[state] = icon;
  if (icons.size() > 1) {
    for (const json::value& value : active) {
      if (values.contains(value.get_string())) states[value.get_string()] = icons[1];
    }
  }
  json::object made{{"default", icons.at(0)}};
  if (!states.empty()) made["state"] = std::move(states);
  return base::to_json(made);
}

}  // namespace

// The texts of a language, and the keys that lead to them.
struct Names::Language {
  const json::object& file;
  const json::object& texts;
  bool english;

  std::optional<std::string_view> text(std::string_view key) const { return text_at(texts, key); }
  // The pages' name of a service or a field of a domain.
  std::optional<std::string_view> word(std::string_view domain, std::string_view name) const {
    const json::object& own = object_at(object_at(object_at(file, "domains"), domain), "words");
    const auto key = text_at(own, name);
    if (key) return text(*key);
    const auto common = text_at(object_at(file, "words"), name);
    return common ? text(*common) : std::nullopt;
  }
  std::optional<std::string_view> state(std::string_view domain, std::string_view value) const {
    const auto own = text(fmt::format("state.{}.{}", domain, value));
    return own ? own : text(fmt::format("state.{}", value));
  }
};

Names::Made Names::make(std::span<const http::StaticFile> files) {
  Made made;
  const auto file = std::ranges::find(files, kFile, &http::StaticFile::path);
  if (file == files.end()) return made;
  const json::object names = base::parse_json(http::plain_body(*file)).value().as_object();
  for (const auto& [tag, texts] : object_at(names, "languages")) {
    const Language language{names, texts.as_object(), tag == kEnglish};
    made.texts.emplace(tag, categories(language));
    for (const auto& [key, text] : language.texts) {
      constexpr std::string_view prefix = "domain.";
      if (std::string_view(key).starts_with(prefix))
        made.titles[std::string(tag)].emplace(std::string_view(key).substr(prefix.size()), text.as_string());
    }
  }
  for (const auto& [name, value] : object_at(names, "domains")) {
    const json::object& domain = value.as_object();
    const Kind* const kind = domains::find_kind(name);
    const auto* const options = kind ? std::get_if<domains::field::Option>(&kind->value) : nullptr;
    const core::Words values = options ? options->options : core::Words();
    const json::array& active = domain.at("active").as_array();
    std::string& members = made.icons[std::string(name)];
    members += fmt::format(R"("{}":{{"_":{})", std::string_view(name),
                           drawn(domain.at("icon").as_array(), values, active, object_at(domain, "states")));
    for (const auto& [device_class, icons] : object_at(domain, "classes"))
      members +=
          fmt::format(R"(,"{}":{})", std::string_view(device_class), drawn(icons.as_array(), values, active, {}));
    members += '}';
  }
  return made;
}

const Names::Made& Names::made() const {
  std::call_once(once_, [this] { made_ = make(files_); });
  return made_;
}

Names::Categories Names::categories(const Language& language) {
  Categories made;
  for (const Kind* const kind : domains::kKinds) {
    const std::string_view domain = kind->domain;
    const std::string prefix = fmt::format("component.{}.", domain), part = prefix + "entity_component.";
    const std::string name(domain);
    std::string& of_entity = made["entity_component"][name];
    if (const auto title = language.text(fmt::format("domain.{}", domain))) {
      add(made["title"][name], prefix + "title", *title);
      add(of_entity, part + "_.name", *title);
    }
    if (const auto* const values = std::get_if<domains::field::Option>(&kind->value)) {
      for (const std::string_view value : values->options) {
        if (const auto text = language.state(domain, value))
          add(of_entity, fmt::format("{}_.state.{}", part, value), *text);
      }
    }
    if (domain == "binary_sensor") {
      for (const auto& [device_class, pair] : object_at(language.file, "on_off_words")) {
        for (const std::string_view value : {"on", "off"}) {
          const auto text = language.text(fmt::format("binary.{}.{}", std::string_view(pair.as_string()), value));
          if (text) add(of_entity, fmt::format("{}{}.state.{}", part, std::string_view(device_class), value), *text);
        }
      }
    }
    for (const domains::Attribute& attribute : kind->attributes) {
      const std::string path = fmt::format("{}_.state_attributes.{}.", part, attribute.name);
      const auto word = language.word(domain, attribute.name);
      if (word || language.english) add(of_entity, path + "name", word ? *word : spaced(attribute.name));
      // The values that the pages have words for: each entity lists its own.
      const std::string own = fmt::format("state.{}.", attribute.name);
      const std::string_view shared = attribute.name.ends_with("_mode") ? "state.preset." : "";
      for (const auto& [key, text] : language.texts) {
        for (const std::string_view before : {std::string_view(own), shared}) {
          if (before.empty() || !std::string_view(key).starts_with(before)) continue;
          add(of_entity, fmt::format("{}state.{}", path, std::string_view(key).substr(before.size())),
              text.as_string());
        }
      }
    }
    std::string& of_services = made["services"][name];
    const auto describe = [&](const Action& action) {
      const std::string path = fmt::format("{}services.{}.", prefix, action.service);
      const auto word = language.word(domain, action.service);
      if (word || language.english) add(of_services, path + "name", word ? *word : action.name);
      if (language.english) add(of_services, path + "description", action.description);
      for (const domains::Input& input : action.fields) {
        const std::string field = fmt::format("{}fields.{}.", path, input.field.name);
        const auto called = language.word(domain, input.field.name);
        if (called || language.english) add(of_services, field + "name", called ? *called : spaced(input.field.name));
        if (language.english) add(of_services, field + "description", input.field.description);
      }
    };
    std::ranges::for_each(kind->actions, describe);
    std::ranges::for_each(kind->services, describe);
  }
  return made;
}

const std::string& Names::Made::best(std::string_view language) const {
  static const std::string english(kEnglish);
  for (const std::string_view tag : {language, language.substr(0, language.find('-'))}) {
    if (const auto found = texts.find(tag); found != texts.end()) return found->first;
  }
  return english;
}

std::string Names::texts(std::string_view language, std::string_view category, Wanted wanted) const {
  const Made& names = made();
  const auto of_language = names.texts.find(names.best(language));
  if (of_language == names.texts.end()) return "{}";
  const auto rows = of_language->second.find(category);
  return rows == of_language->second.end() ? "{}" : joined(rows->second, wanted);
}

std::string Names::icons(std::string_view category, Wanted wanted) const {
  return category == "entity_component" ? joined(made().icons, wanted) : "{}";
}

std::string Names::domain_name(std::string_view language, std::string_view domain) const {
  const Made& names = made();
  const auto titles = names.titles.find(names.best(language));
  if (titles != names.titles.end()) {
    if (const auto found = titles->second.find(std::string(domain)); found != titles->second.end())
      return found->second;
  }
  return spaced(domain);
}

}  // namespace hearth::api
