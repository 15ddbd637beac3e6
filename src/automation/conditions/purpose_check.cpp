// SPDX-License-Identifier: Apache-2.0
#include "automation/conditions/purpose_check.h"

#include <algorithm>

#include "automation/conditions/comparison.h"
#include "automation/values/state_values.h"
#include "base/text/number.h"
#include "core/values/units.h"

namespace hearth::automation {
namespace {

// As an option of the configuration says it.
std::string plain_text(const json::value& value) {
  return value.is_string() ? std::string(value.get_string()) : base::to_json(value);
}

bool has_word(const std::vector<std::string>& words, const json::value& value) {
  return !value.is_null() && std::ranges::find(words, plain_text(value)) != words.end();
}

const json::value* attribute(const json::object& attributes, std::string_view name) {
  const json::value* const found = attributes.if_contains(name);
  return found && !found->is_null() ? found : nullptr;
}

// Of a cover, a valve or a sensor; null if it does not say so. One that moves is open, unless its position is 0.
std::optional<bool> closed_of(const core::State& state) {
  const std::string_view value = state.value();
  if (state.domain() == "binary_sensor") {
    if (value == "on") return false;
    return value == "off" ? std::optional(true) : std::nullopt;
  }
  const json::object attributes = state.attributes();
  if (const json::value* const is_closed = attribute(attributes, "is_closed"); is_closed && is_closed->is_bool())
    return is_closed->get_bool();
  if (value == "closed") return true;
  if (value == "open") return false;
  if (value != "opening" && value != "closing") return {};
  const json::value* const position = attribute(attributes, "current_position");
  return position && number_of(*position) == 0;
}

// Null if it shows no volume.
std::optional<bool> muted_of(const core::State& state) {
  const json::object attributes = state.attributes();
  const json::value *const muted = attribute(attributes, "is_volume_muted"), *const volume =
                                                                                 attribute(attributes, "volume_level");
  if (!muted && !volume) return {};
  return (muted && *muted == json::value(true)) || (volume && number_of(*volume) == 0);
}

// The micro sign and the Greek letter are one.
std::string normal_unit(std::string unit) {
  if (unit.starts_with("µ")) unit.replace(0, std::string_view("µ").size(), "μ");
  return unit;
}

// Null if the units do not measure the same. One that nobody has named is the other.
std::optional<double> converted(double number, const std::string& from, const std::string& to) {
  if (from.empty() || to.empty() || normal_unit(from) == normal_unit(to)) return number;
  return core::convert_unit(number, from, to);
}

}  // namespace

std::vector<std::string> PurposeCheck::entity_ids() const {
  const auto registry = moment_.registry();
  std::vector<std::string> ids;
  if (purpose_.target.empty()) {
    ids = core::entities_of(use_.target, *registry, purpose_.auxiliary);
    if (use_.exclude.given) {
      const auto without = core::entities_of(use_.exclude, *registry, true);
      std::erase_if(ids, [&](const std::string& id) { return std::ranges::binary_search(without, id); });
    }
  } else {
    ids = {purpose_.target};
  }
  std::erase_if(ids, [&](const std::string& id) {
    const std::string_view domain = std::string_view(id).substr(0, id.find('.'));
    return std::ranges::find(purpose_.sources, domain, &Purpose::Source::domain) == purpose_.sources.end();
  });
  return ids;
}

const Purpose::Source* PurposeCheck::source_of(const core::State& state) const {
  for (const Purpose::Source& source : purpose_.sources) {
    if (source.domain != state.domain()) continue;
    if (source.device_class.empty()) return &source;
    const json::object attributes = state.attributes();
    const json::value* const device_class = attribute(attributes, "device_class");
    return device_class && plain_text(*device_class) == source.device_class ? &source : nullptr;
  }
  return nullptr;
}

json::value PurposeCheck::value_of_source(const core::State& state) const {
  const Purpose::Source* const source = source_of(state);
  if (!source) return nullptr;
  if (source->attribute.empty()) return json::string(state.value());
  const json::object attributes = state.attributes();
  const json::value* const found = attribute(attributes, source->attribute);
  return found ? *found : json::value(nullptr);
}

bool PurposeCheck::counts(const core::StatePtr& state) const {
  if (!state || is_no_real_state(state) || !source_of(*state)) return false;
  if (purpose_.needs_value && value_of_source(*state).is_null()) return false;
  if (purpose_.test == Test::muted || purpose_.test == Test::unmuted) return muted_of(*state).has_value();
  if (purpose_.feature == 0) return true;
  const json::object attributes = state->attributes();
  const json::value* const features = attribute(attributes, "supported_features");
  return !features || !features->is_int64() || (features->get_int64() & purpose_.feature) != 0;
}

bool PurposeCheck::is_so(const core::State& state) const {
  switch (purpose_.test) {
    case Test::any:
      return true;
    case Test::listed:
      return has_word(use_.values, value_of_source(state));
    case Test::unlisted:
      return !has_word(use_.values, value_of_source(state));
    case Test::number:
      return is_within(state);
    case Test::whole:
      return base::parse_integer<std::int64_t>(state.value()).has_value();
    case Test::limit: {
      const json::object attributes = state.attributes();
      const json::value* const limit = attribute(attributes, use_.values.front());
      return limit && plain_text(*limit) == state.value();
    }
    case Test::closed:
      return closed_of(state) == true;
    case Test::open:
      return closed_of(state) == false;
    case Test::muted:
      return muted_of(state) == true;
    case Test::unmuted:
      return muted_of(state) == false;
    case Test::in_zone:
      return is_in_zone_of_use(state, true);
    case Test::out_of_zone:
      return is_in_zone_of_use(state, false);
    case Test::occupied:
      return base::parse_integer<std::int64_t>(state.value()).value_or(0) >= 1;
    case Test::deserted:
      return base::parse_integer<std::int64_t>(state.value()) == 0;
  }
  return false;
}

base::Timestamp PurposeCheck::since(const core::State& state) const {
  const Purpose::Source* const source = source_of(state);
  const bool of_attributes =
      (source && !source->attribute.empty()) || (purpose_.test != Test::listed && purpose_.test != Test::unlisted);
  return of_attributes ? state.last_updated() : state.last_changed();
}

bool PurposeCheck::has_changed(const core::StatePtr& from, const core::State& to) const {
  if (!from || from->value() == core::kUnavailable) return false;
  if (purpose_.change == Change::happens) return from->value() != to.value();
  if (from->value() == core::kUnknown) return false;
  switch (purpose_.change) {
    case Change::listed:
      return has_word(purpose_.from, value_of_source(*from));
    case Change::state:
      return from->value() != to.value();
    case Change::value:
      return number_of_state(*from) != number_of_state(to);
    case Change::up:
    case Change::down: {
      const auto was = base::parse_integer<std::int64_t>(from->value()),
                 is = base::parse_integer<std::int64_t>(to.value());
      return was && is && (purpose_.change == Change::up ? *was < *is : *was > *is);
    }
    case Change::block: {
      const json::object before = from->attributes(), after = to.attributes();
      const json::value *const was = attribute(before, "next_event"), *const is = attribute(after, "next_event");
      return (was ? *was : json::value()) != (is ? *is : json::value());
    }
    case Change::becomes:
    case Change::happens:
      break;
  }
  // An entity that did not say if it was closed, or had another device class, has not changed.
  if ((purpose_.test == Test::closed || purpose_.test == Test::open) && !closed_of(*from)) return false;
  return !is_so(*from);
}

std::optional<double> PurposeCheck::number_of_state(const core::State& state) const {
  const auto number = number_of(value_of_source(state));
  return number ? std::optional(*number * purpose_.scale) : std::nullopt;
}

std::string PurposeCheck::unit_of(const core::State& state) const {
  const Purpose::Source* const source = source_of(state);
  if (source && source->attribute.empty()) {
    const json::object attributes = state.attributes();
    const json::value* const unit = attribute(attributes, "unit_of_measurement");
    return unit ? plain_text(*unit) : std::string();
  }
  if (purpose_.unit != "°C") return purpose_.unit;
  const json::object attributes = state.attributes();
  if (const json::value* const unit = attribute(attributes, "temperature_unit")) return plain_text(*unit);
  return moment_.config()->unit_system == core::UnitSystem::metric ? "°C" : "°F";
}

std::optional<double> PurposeCheck::edge_of(const Threshold::Edge& edge, const std::string& unit) const {
  if (const auto* const number = std::get_if<double>(&edge.limit)) return converted(*number, edge.unit, unit);
  const auto* const id = std::get_if<std::string>(&edge.limit);
  const core::StatePtr state = id ? moment_.find(std::string_view(*id)) : nullptr;
  const auto number = state ? number_of(json::string(state->value())) : std::nullopt;
  if (!number) return {};
  const json::object attributes = state->attributes();
  const json::value* const own = attribute(attributes, "unit_of_measurement");
  return converted(*number, own ? plain_text(*own) : "", unit);
}

bool PurposeCheck::is_within(const core::State& state) const {
  using Kind = Threshold::Kind;
  const Threshold& threshold = use_.threshold;
  const auto number = number_of_state(state);
  if (!number || threshold.kind == Kind::any) return number.has_value();
  const std::string unit = unit_of(state);
  const auto low = edge_of(threshold.low, unit), high = edge_of(threshold.high, unit);
  if (threshold.kind == Kind::above) return low && *number > *low;
  if (threshold.kind == Kind::below) return high && *number < *high;
  if (!low || !high) return false;
  const bool between = *low <= *number && *number <= *high;
  return between == (threshold.kind == Kind::between);
}

bool PurposeCheck::is_in_zone_of_use(const core::State& state, bool wanted) const {
  const core::StatePtr zone = moment_.find(std::string_view(use_.zone));
  if (!zone) return false;
  if (const auto inside = is_in_zone(state, *zone)) return *inside == wanted;
  // Without a place: home is the only zone that a state names by itself.
  return use_.zone == "zone.home" && (state.value() == "home") == wanted;
}

}  // namespace hearth::automation
