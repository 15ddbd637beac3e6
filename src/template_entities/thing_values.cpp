// SPDX-License-Identifier: Apache-2.0
#include "template_entities/thing_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/values/data.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "core/states/state.h"
#include "core/states/state_machine.h"
#include "core/values/entity_id.h"
#include "domains/entities/kinds.h"
#include "template/values/zoned_time.h"

namespace hearth::template_entities {
namespace {

std::unexpected<base::Error> wrong(const Reading& reading, std::string_view expected, std::string_view found) {
  return base::fail(base::ErrorCode::invalid, fmt::format("{}: expected {}, the template gives {}", reading.key,
                                                          expected, base::utf8_excerpt(base::utf8_repaired(found))));
}

bool is_date(std::string_view text) {
  return text.size() == 10 && base::parse_timestamp(std::string(text) + "T00:00:00Z").has_value();
}

bool is_numeric(const EntityPlan& plan) {
  return plan.fixed.contains("unit_of_measurement") || plan.fixed.contains("state_class");
}

base::Result<json::value> sensor_state(const EntityPlan& plan, const Reading& reading, const templates::Value& value,
                                       std::string text) {
  if (plan.device_class == "timestamp") {
    auto time = templates::zoned_time(text);
    if (!time) return wrong(reading, time.error(), text);
    return json::string(*time);
  }
  if (plan.device_class == "date" && !is_date(text)) return wrong(reading, "a date such as 2026-04-20", text);
  if (is_numeric(plan) && !value.is_number() && !base::parse_number(text)) return wrong(reading, "a number", text);
  return json::string(text);
}

}  // namespace

std::string text_of(const templates::Value& value) {
  if (value.is_none() || value.is_undefined()) return {};
  return std::string(base::trim_blanks(templates::to_text(value)));
}

base::Result<json::value> state_of(const EntityPlan& plan, const Reading& reading, const templates::Value& given) {
  const templates::Value value = automation::native_value(given);  // a text without a template is one, too
  if (value.is_none() || value.is_undefined()) return json::value();
  const domains::Kind& kind = *plan.form->kind;
  if (&kind == &domains::kBinarySensor) return json::value(automation::counts_as_true(value));
  std::string text = text_of(value);
  if (const auto length = base::utf8_length(text); !length || *length > core::StateMachine::kMaxValueLength)
    return wrong(reading, fmt::format("at most {} characters", core::StateMachine::kMaxValueLength), text);
  if (text == core::kUnknown || base::equals_ignoring_case(text, "none")) return json::value();
  if (&kind == &domains::kSensor) return sensor_state(plan, reading, value, std::move(text));
  if (&kind == &domains::kNumber) {
    const auto number = templates::as_double(value);
    if (!number || value.get<bool>()) return wrong(reading, "a number", text);
    text = templates::number_text(*number);
    return json::string(text);
  }
  const auto* const option = std::get_if<domains::field::Option>(&kind.value);
  if (!option) return json::string(text);
  const std::string small = core::lower_case(text);
  const auto word = std::ranges::find(reading.words, std::string_view(small), &Word::text);
  if (word != reading.words.end()) return json::value(word->value);
  if (option->options.contains(small)) return json::string(small);
  return wrong(reading, domains::field::expected(*option), text);
}

json::value attribute_of(const domains::Kind& kind, std::string_view name, const templates::Value& given) {
  const templates::Value value = automation::native_value(given);
  if (value.is_none() || value.is_undefined()) return nullptr;
  const domains::Attribute* const attribute = kind.find_attribute(name);
  json::value made = automation::json_of(value);
  if (!attribute) return made;
  if (made.is_string() && made.get_string().empty()) return nullptr;
  if (std::holds_alternative<domains::field::Boolean>(attribute->type)) return automation::counts_as_true(value);
  const bool texts = std::holds_alternative<domains::field::TextList>(attribute->type);
  if (json::array* const list = texts ? made.if_array() : nullptr) {
    for (json::value& each : *list) {
      if (!each.is_string()) each = json::string(templates::to_text(templates::Value::from_json(each)));
    }
  }
  return made;
}

}  // namespace hearth::template_entities
