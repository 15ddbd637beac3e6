// SPDX-License-Identifier: Apache-2.0
#include "automation/items/selector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "automation/config/json_node.h"
#include "automation/config/parsing.h"
#include "automation/config/part_check.h"
#include "automation/values/duration.h"
#include "core/values/field.h"
#include "template/language/template.h"

namespace hearth::automation {
namespace {

namespace field = core::field;

const json::value* find(const json::object& options, std::string_view key) {
  return options.if_contains(key);
}

bool flag(const json::object& options, std::string_view key) {
  const json::value* const found = find(options, key);
  return found && found->is_bool() && found->get_bool();
}

std::optional<double> number(const json::object& options, std::string_view key) {
  const json::value* const found = find(options, key);
  if (!found || !found->is_number()) return {};
  return found->to_number<double>();
}

// The texts of a list, or of the single one.
std::vector<std::string> texts(const json::value* value) {
  std::vector<std::string> all;
  if (!value) return all;
  const auto add = [&](const json::value& each) {
    if (each.is_string()) all.emplace_back(each.get_string());
  };
  if (const json::array* const list = value->if_array())
    std::ranges::for_each(*list, add);
  else
    add(*value);
  return all;
}

bool has(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

bool is_text(const json::value& value) {
  return value.is_string() || value.is_number();  // an unquoted 7 is a text as well
}

std::string expected_of(const field::Type& type, const json::value& value) {
  return field::convert(type, value) ? "" : field::expected(type);
}

std::string expected_number(const json::object& options, const json::value& value) {
  const double min = number(options, "min").value_or(-field::kEndless),
               max = number(options, "max").value_or(field::kEndless);
  return expected_of(field::Number{.min = std::min(min, max), .max = std::max(min, max)}, value);
}

// The domains that the selector takes; none if it takes all.
std::vector<std::string> domains_of(const json::object& options) {
  std::vector<std::string> domains = texts(find(options, "domain"));
  const json::value* const filter = find(options, "filter");
  const auto add = [&](const json::value& each) {
    const json::object* const object = each.if_object();
    if (!object) return;
    const auto more = texts(find(*object, "domain"));
    domains.insert(domains.end(), more.begin(), more.end());
  };
  if (filter && filter->is_array()) std::ranges::for_each(filter->get_array(), add);
  if (filter && filter->is_object()) add(*filter);
  // One filter without a domain takes all.
  const bool one_takes_all =
      filter && filter->is_array() && std::ranges::any_of(filter->get_array(), [](const auto& each) {
        return each.is_object() && !each.get_object().contains("domain");
      });
  return one_takes_all ? std::vector<std::string>() : domains;
}

std::string expected_entity(const json::object& options, const json::value& value) {
  const bool is_registry_id = value.is_string() && value.get_string().find('.') == json::string::npos;
  const std::string domains = fmt::format("{}", fmt::join(domains_of(options), " "));
  return is_registry_id ? "" : expected_of(field::Entity{domains.c_str()}, value);
}

std::string expected_option(const json::object& options, const json::value& value) {
  if (!is_text(value)) return "a text";
  if (flag(options, "custom_value")) return "";
  const json::value* const listed = find(options, "options");
  const json::array* const list = listed ? listed->if_array() : nullptr;
  if (!list) return "";
  std::vector<std::string> known;
  for (const json::value& each : *list) {
    const json::object* const object = each.if_object();
    const json::value* const option = object ? find(*object, "value") : &each;
    if (option) known.push_back(option->is_string() ? std::string(option->get_string()) : base::to_json(*option));
  }
  const std::string text = value.is_string() ? std::string(value.get_string()) : base::to_json(value);
  return has(known, text) ? "" : fmt::format("one of {}", fmt::join(known, ", "));
}

// True if it has these keys only, each with a text or texts.
bool has_texts_only(const json::object& object, core::Words known) {
  return std::ranges::all_of(object, [&](const auto& entry) {
    const json::array* const list = entry.value().if_array();
    return known.contains(entry.key()) && (list ? std::ranges::all_of(*list, is_text) : is_text(entry.value()));
  });
}

std::string expected_target(const json::object&, const json::value& value) {
  if (value.is_array() && value.get_array().empty()) return "";
  if (!value.is_object()) return "keys with values";
  constexpr core::Words kParts{"entity_id device_id area_id floor_id label_id"};
  return has_texts_only(value.get_object(), kParts) ? "" : "entity_id, device_id, area_id, floor_id, label_id";
}

std::string expected_media(const json::object&, const json::value& value) {
  const json::object* const media = value.if_object();
  if (!media) return "keys with values";
  const auto has_text = [&](std::string_view key) {
    const json::value* const found = find(*media, key);
    return found && is_text(*found);
  };
  const bool whole = has_text("media_content_id") && has_text("media_content_type");
  return media->empty() || whole ? "" : "media_content_id, media_content_type";
}

std::string expected_place(const json::object&, const json::value& value) {
  const json::object* const place = value.if_object();
  const auto within = [&](std::string_view key, double most) {
    const json::value* const found = place ? find(*place, key) : nullptr;
    return found && field::convert(field::Number{.min = -most, .max = most}, *found);
  };
  if (!place || !place->contains("latitude") || !place->contains("longitude")) return "latitude and longitude";
  return within("latitude", 90) && within("longitude", 180) ? "" : "a latitude to 90 and a longitude to 180 degrees";
}

std::string expected_boolean(const json::object&, const json::value& value) {
  return value.is_bool() ? "" : "true or false";
}

std::string expected_object(const json::object&, const json::value& value) {
  return value.is_object() || (value.is_array() && value.get_array().empty()) ? "" : "keys with values";
}

std::string expected_duration(const json::object&, const json::value& value) {
  return DurationData::parse(node_of_json(value, "")) ? "" : "days, hours, minutes, seconds";
}

std::string expected_template(const json::object&, const json::value& value) {
  if (!value.is_string()) return is_text(value) || value.is_bool() ? "" : "a template";
  return templates::Template::compile(std::string(value.get_string())) ? "" : "a template that compiles";
}

// The words of a parser are not told here, only that it refuses the value.
std::string expected_triggers(const json::object&, const json::value& value) {
  const ConfigNode node = node_of_json(value, "");
  return parse_triggers(&node) ? "" : "triggers";
}

std::string expected_conditions(const json::object&, const json::value& value) {
  const ConfigNode node = node_of_json(value, "");
  const auto parses = [](const ConfigNode& each) { return parse_condition(each).has_value(); };
  return std::ranges::all_of(one_or_many(&node), parses) ? "" : "conditions";
}

std::string expected_actions(const json::object&, const json::value& value) {
  return check_actions(value).empty() ? "" : "actions";
}

using Expected = std::string (*)(const json::object& options, const json::value& value);

struct SelectorKind {
  std::string_view name;
  std::variant<field::Type, Expected> value;  // a function where the type does not say all
  bool whole = false;                         // one value, even with `multiple`
};
constexpr SelectorKind kKinds[] = {
    {"action", expected_actions},
    {"boolean", expected_boolean},
    {"color_rgb", field::Numbers{.count = 3, .min = 0, .max = 255}},
    {"color_temp", expected_number},
    {"condition", expected_conditions},
    {"constant", field::Any{}},
    {"date", field::Date{}},
    {"datetime", field::DateTime{}},
    {"duration", expected_duration},
    {"entity", expected_entity},
    {"location", expected_place},
    {"media", expected_media},
    {"number", expected_number},
    {"object", field::Any{}},
    {"qr_code", field::Any{}},
    {"select", expected_option},
    {"target", expected_target, true},
    {"template", expected_template},
    {"time", field::Time{}},
    {"trigger", expected_triggers},
    {"ui_action", expected_object, true},
};
// Selectors whose value is a text.
constexpr core::Words kTexts{
    "addon area assist_pipeline attribute backup_location config_entry conversation_agent country device file floor "
    "icon label language state statistic stt text theme tts ui_color"};

// Null if the selector is unknown.
const SelectorKind* find_kind(std::string_view name) {
  static constexpr SelectorKind text{"text", field::Text{}};
  if (kTexts.contains(name)) return &text;
  const auto found = std::ranges::find(kKinds, name, &SelectorKind::name);
  return found == std::end(kKinds) ? nullptr : &*found;
}

}  // namespace

std::string expected_by(const json::value& selector, const json::value& value) {
  const json::object* const object = selector.if_object();
  if (!object || object->size() != 1) return "";
  const auto& only = *object->begin();
  const SelectorKind* const kind = find_kind(only.key());
  if (!kind) return "";
  const json::object none;
  const json::object& options = only.value().is_object() ? only.value().get_object() : none;
  const auto expected_one = [&](const json::value& one) {
    const auto* const type = std::get_if<field::Type>(&kind->value);
    return type ? expected_of(*type, one) : std::get<Expected>(kind->value)(options, one);
  };
  const json::array* const list = flag(options, "multiple") && !kind->whole ? value.if_array() : nullptr;
  if (!list) return expected_one(value);  // a single one is a list, too
  for (const json::value& each : *list) {
    if (std::string expected = expected_one(each); !expected.empty()) return "a list, each " + expected;
  }
  return "";
}

}  // namespace hearth::automation
