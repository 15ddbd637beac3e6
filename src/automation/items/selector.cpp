// SPDX-License-Identifier: Apache-2.0
#include "automation/items/selector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "automation/config/json_node.h"
#include "automation/config/parsing.h"
#include "automation/config/part_check.h"
#include "automation/values/duration.h"
#include "core/values/entity_id.h"
#include "core/values/service_field.h"
#include "core/values/words.h"
#include "template/language/template.h"

namespace hearth::automation {
namespace {

namespace field = core::field;

enum class Shape {
  text,
  number,
  boolean,
  date,
  time,
  date_time,
  duration,
  object,
  target,
  media,
  color,
  entity,
  options,
  place,
  code,
  triggers,
  conditions,
  actions,
  any
};

struct SelectorKind {
  std::string_view name;
  Shape shape;
};
constexpr SelectorKind kKinds[] = {{"action", Shape::actions},
                                   {"addon", Shape::text},
                                   {"area", Shape::text},
                                   {"assist_pipeline", Shape::text},
                                   {"attribute", Shape::text},
                                   {"backup_location", Shape::text},
                                   {"boolean", Shape::boolean},
                                   {"color_rgb", Shape::color},
                                   {"color_temp", Shape::number},
                                   {"condition", Shape::conditions},
                                   {"config_entry", Shape::text},
                                   {"constant", Shape::any},
                                   {"conversation_agent", Shape::text},
                                   {"country", Shape::text},
                                   {"date", Shape::date},
                                   {"datetime", Shape::date_time},
                                   {"device", Shape::text},
                                   {"duration", Shape::duration},
                                   {"entity", Shape::entity},
                                   {"file", Shape::text},
                                   {"floor", Shape::text},
                                   {"icon", Shape::text},
                                   {"label", Shape::text},
                                   {"language", Shape::text},
                                   {"location", Shape::place},
                                   {"media", Shape::media},
                                   {"number", Shape::number},
                                   {"object", Shape::any},
                                   {"qr_code", Shape::any},
                                   {"select", Shape::options},
                                   {"state", Shape::text},
                                   {"statistic", Shape::text},
                                   {"stt", Shape::text},
                                   {"target", Shape::target},
                                   {"template", Shape::code},
                                   {"text", Shape::text},
                                   {"theme", Shape::text},
                                   {"time", Shape::time},
                                   {"trigger", Shape::triggers},
                                   {"tts", Shape::text},
                                   {"ui_action", Shape::object},
                                   {"ui_color", Shape::text}};

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

std::string expected_number(const json::object& options, const json::value& value) {
  const double min = number(options, "min").value_or(-field::kEndless),
               max = number(options, "max").value_or(field::kEndless);
  const field::Type type = field::Number{.min = std::min(min, max), .max = std::max(min, max)};
  return field::convert(type, value) ? "" : field::expected(type);
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
  const auto domains = domains_of(options);
  const std::string expected =
      domains.empty() ? "an entity id" : fmt::format("the id of an entity of {}", fmt::join(domains, ", "));
  if (!value.is_string()) return expected;
  const std::string_view text = value.get_string();
  if (!text.contains('.')) return "";  // an id in the registry
  const auto id = core::EntityId::parse(text);
  if (!id) return expected;
  const bool fits = domains.empty() || has(domains, text.substr(0, text.find('.')));
  return fits ? "" : expected;
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

std::string expected_target(const json::value& value) {
  if (value.is_array() && value.get_array().empty()) return "";
  if (!value.is_object()) return "keys with values";
  constexpr core::Words kParts{"entity_id device_id area_id floor_id label_id"};
  return has_texts_only(value.get_object(), kParts) ? "" : "entity_id, device_id, area_id, floor_id, label_id";
}

std::string expected_media(const json::value& value) {
  const json::object* const media = value.if_object();
  if (!media) return "keys with values";
  const auto has_text = [&](std::string_view key) {
    const json::value* const found = find(*media, key);
    return found && is_text(*found);
  };
  const bool whole = has_text("media_content_id") && has_text("media_content_type");
  return media->empty() || whole ? "" : "media_content_id, media_content_type";
}

std::string expected_place(const json::value& value) {
  const json::object* const place = value.if_object();
  const auto within = [&](std::string_view key, double most) {
    const json::value* const found = place ? find(*place, key) : nullptr;
    return found && field::convert(field::Number{.min = -most, .max = most}, *found);
  };
  if (!place || !place->contains("latitude") || !place->contains("longitude")) return "latitude and longitude";
  return within("latitude", 90) && within("longitude", 180) ? "" : "a latitude to 90 and a longitude to 180 degrees";
}

// Of what runs: what its own parser says is not told here, only that it does not take it.
std::string expected_code(Shape shape, const json::value& value) {
  if (shape == Shape::code) {
    if (!value.is_string()) return is_text(value) || value.is_bool() ? "" : "a template";
    return templates::Template::compile(std::string(value.get_string())) ? "" : "a template that compiles";
  }
  const ConfigNode node = node_of_json(value, "");
  if (shape == Shape::triggers) return parse_triggers(&node) ? "" : "triggers";
  if (shape == Shape::actions) return check_actions(value).empty() ? "" : "actions";
  const auto all = one_or_many(&node);
  return std::ranges::all_of(all, [](const ConfigNode& each) { return parse_condition(each).has_value(); })
             ? ""
             : "conditions";
}

std::string expected_one(Shape shape, const json::object& options, const json::value& value) {
  const auto converted = [&](const field::Type& type) {
    return field::convert(type, value) ? "" : field::expected(type);
  };
  switch (shape) {
    case Shape::text:
      return is_text(value) ? "" : "a text";
    case Shape::number:
      return expected_number(options, value);
    case Shape::boolean:
      return value.is_bool() ? "" : "true or false";
    case Shape::date:
      return converted(field::Date{});
    case Shape::time:
      return converted(field::Time{});
    case Shape::date_time:
      return converted(field::DateTime{});
    case Shape::duration:
      return DurationData::parse(node_of_json(value, "")) ? "" : "days, hours, minutes, seconds";
    case Shape::object:
      return value.is_object() || (value.is_array() && value.get_array().empty()) ? "" : "keys with values";
    case Shape::color:
      return converted(field::Numbers{.count = 3, .min = 0, .max = 255});
    case Shape::entity:
      return expected_entity(options, value);
    case Shape::options:
      return expected_option(options, value);
    case Shape::target:
      return expected_target(value);
    case Shape::media:
      return expected_media(value);
    case Shape::place:
      return expected_place(value);
    case Shape::code:
    case Shape::triggers:
    case Shape::conditions:
    case Shape::actions:
      return expected_code(shape, value);
    case Shape::any:
      return "";
  }
  return "";
}

}  // namespace

std::string expected_by(const json::value& selector, const json::value& value) {
  const json::object* const object = selector.if_object();
  if (!object || object->size() != 1) return "";
  const auto& only = *object->begin();
  const auto kind = std::ranges::find(kKinds, std::string_view(only.key()), &SelectorKind::name);
  if (kind == std::end(kKinds)) return "";
  const json::object none;
  const json::object& options = only.value().is_object() ? only.value().get_object() : none;
  if (!flag(options, "multiple") || kind->shape == Shape::object || kind->shape == Shape::target)
    return expected_one(kind->shape, options, value);
  const json::array* const list = value.if_array();
  if (!list) return expected_one(kind->shape, options, value);  // a single one is a list, too
  for (const json::value& each : *list) {
    if (std::string expected = expected_one(kind->shape, options, each); !expected.empty())
      return "a list, each " + expected;
  }
  return "";
}

}  // namespace hearth::automation
