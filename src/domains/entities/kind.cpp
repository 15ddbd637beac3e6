// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/timestamp.h"
#include "core/states/state.h"
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace {

template <class Row>
const Row* find_row(std::span<const Row> rows, std::string_view Row::* key, std::string_view name) {
  const auto found = std::ranges::find(rows, name, key);
  return found == rows.end() ? nullptr : &*found;
}

std::string number_text(double number, int decimals) {
  if (!std::isfinite(number)) return std::string(core::kUnknown);
  std::string text = decimals < 0 ? fmt::format("{}", number) : fmt::format("{:.{}f}", number, decimals);
  // No negative zero.
  if (text.find_first_not_of("-0.") == std::string::npos && text.front() == '-') text.erase(0, 1);
  return text;
}

}  // namespace

const Kind* find_kind(std::string_view domain) {
  const auto found = std::ranges::find(kKinds, domain, &Kind::domain);
  return found == std::end(kKinds) ? nullptr : *found;
}

const Action* Kind::find_action(std::string_view service) const {
  return find_row(actions, &Action::service, service);
}

const Attribute* Kind::find_attribute(std::string_view name) const {
  return find_row(attributes, &Attribute::name, name);
}

const Feature* Kind::find_feature(std::string_view name) const {
  return find_row(features, &Feature::name, name);
}

unsigned Kind::features_of(core::Words names) const {
  unsigned bits = 0;
  for (const Feature& feature : features) {
    if (feature.always || names.contains(feature.name)) bits |= feature.bit;
  }
  return bits;
}

bool Kind::attribute_driven() const {
  return std::ranges::any_of(attributes, &Attribute::significant);
}

std::optional<std::string> value_text(const Kind& kind, const json::value& value, int decimals) {
  if (value.is_null()) return std::string(core::kUnknown);
  const bool numeric =
      std::holds_alternative<field::Number>(kind.value) || std::holds_alternative<field::Any>(kind.value);
  if (numeric && value.is_number()) {
    std::string text = number_text(value.to_number<double>(), decimals);
    if (kind.pointed && text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
    return text;
  }
  if (value.is_bool()) return value_text(kind, value.get_bool() ? "on" : "off");
  const auto converted = field::convert(kind.value, value);
  if (converted && converted->is_int64()) return std::to_string(converted->get_int64());
  if (!converted || (!value.is_string() && !converted->is_string())) return {};
  if (std::holds_alternative<field::DateTime>(kind.value)) {
    return base::to_string(base::parse_timestamp(value.get_string()).value());
  }
  // A number keeps its digits.
  return std::string((converted->is_string() ? *converted : value).get_string());
}

}  // namespace hearth::domains
