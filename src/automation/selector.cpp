// SPDX-License-Identifier: Apache-2.0
#include "automation/selector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "core/entity_id.h"
#include "core/service_field.h"

namespace hearth::automation {
namespace {

namespace field = core::field;

enum class Shape { text, number, boolean, date, time, date_time, duration, object, color, entity, options, place, any };

struct Kind {
  std::string_view name;
  Shape shape;
};
constexpr Kind kKinds[] = {{"action", Shape::any},
                           {"addon", Shape::text},
                           {"area", Shape::text},
                           {"assist_pipeline", Shape::text},
                           {"attribute", Shape::text},
                           {"backup_location", Shape::text},
                           {"boolean", Shape::boolean},
                           {"color_rgb", Shape::color},
                           {"color_temp", Shape::number},
                           {"condition", Shape::any},
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
                           {"media", Shape::object},
                           {"number", Shape::number},
                           {"object", Shape::any},
                           {"qr_code", Shape::any},
                           {"select", Shape::options},
                           {"state", Shape::text},
                           {"statistic", Shape::text},
                           {"stt", Shape::text},
                           {"target", Shape::object},
                           {"template", Shape::any},
                           {"text", Shape::text},
                           {"theme", Shape::text},
                           {"time", Shape::time},
                           {"trigger", Shape::any},
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
      return is_text(value) ? "" : "a date with a time";
    case Shape::duration:
      return value.is_object() || is_text(value) ? "" : "days, hours, minutes, seconds";
    case Shape::object:
      return value.is_object() || (value.is_array() && value.get_array().empty()) ? "" : "keys with values";
    case Shape::color:
      return converted(field::Numbers{.count = 3, .min = 0, .max = 255});
    case Shape::entity:
      return expected_entity(options, value);
    case Shape::options:
      return expected_option(options, value);
    case Shape::place: {
      const json::object* const place = value.if_object();
      return place && place->contains("latitude") && place->contains("longitude") ? "" : "latitude and longitude";
    }
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
  const auto kind = std::ranges::find(kKinds, std::string_view(only.key()), &Kind::name);
  if (kind == std::end(kKinds)) return "";
  const json::object none;
  const json::object& options = only.value().is_object() ? only.value().get_object() : none;
  if (!flag(options, "multiple") || kind->shape == Shape::object) return expected_one(kind->shape, options, value);
  const json::array* const list = value.if_array();
  if (!list) return expected_one(kind->shape, options, value);  // a single one is a list, too
  for (const json::value& each : *list) {
    if (std::string expected = expected_one(kind->shape, options, each); !expected.empty())
      return "a list, each " + expected;
  }
  return "";
}

}  // namespace hearth::automation
