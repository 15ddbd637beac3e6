// SPDX-License-Identifier: Apache-2.0
// `states`, and the functions of states. What the caller may not read is absent.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/utf8.h"
#include "core/entity_id.h"
#include "template/builtins.h"
#include "template/home.h"
#include "template/render.h"
#include "template/state_value.h"
#include "template/text.h"

namespace hearth::templates {
namespace {

// The render of a value that outlives no rendering.
class DomainStates final : public Object {
 public:
  DomainStates(Render& render, std::string domain) : render_(render), domain_(std::move(domain)) {}
  std::string_view type_name() const override { return "DomainStates"; }
  std::string to_text() const override { return fmt::format("<template DomainStates('{}')>", domain_); }
  std::optional<Value> attribute(std::string_view name) const override {
    return state_value(find_state(render_, domain_ + '.' + std::string(name)));
  }
  std::optional<Value> item(const Value& key) const override {
    return key.is_text() ? attribute(key.text()) : std::nullopt;
  }
  std::optional<Values> items() const override { return states_of(render_, domain_); }
  std::optional<std::int64_t> length() const override {
    return static_cast<std::int64_t>(states_of(render_, domain_).size());
  }

 private:
  Render& render_;
  const std::string domain_;
};

}  // namespace

core::StatePtr find_state(Render& render, std::string_view entity_id) {
  charge();
  charge_reading(entity_id.size());
  const std::string id = lower_text(entity_id);
  render.saw_entity(id);
  if (const PastStates* const past = render.environment.past) {
    if (const auto found = past->find(id); found != past->end()) return found->second;
  }
  return render.environment.home ? render.environment.home->find(id) : nullptr;
}

Values states_of(Render& render, std::string_view domain) {
  if (domain.empty())
    render.saw_all();
  else
    render.saw_domain(domain);
  std::vector<core::StatePtr> found;
  if (render.environment.home) {
    const core::View& home = *render.environment.home;
    const PastStates none, &past = render.environment.past ? *render.environment.past : none;
    std::vector<std::string> ids;
    home.states().for_each([&](const core::State& state) {
      charge();
      if ((domain.empty() || state.domain() == domain) && !past.contains(state.entity_id()))
        ids.emplace_back(state.entity_id());
    });
    for (const auto& [id, state] : past) {
      if (state && (domain.empty() || state->domain() == domain)) ids.push_back(id);
    }
    std::sort(ids.begin(), ids.end());
    charge_size(ids.size() * 16);
    for (const std::string& id : ids) {
      const auto former = past.find(id);
      if (auto state = former == past.end() ? home.find(id) : former->second) found.push_back(std::move(state));
    }
  }
  Values values;
  for (auto& state : found) values.push_back(state_value(std::move(state)));
  return values;
}

namespace {

class States final : public Object {
 public:
  std::string_view type_name() const override { return "AllStates"; }
  std::string to_text() const override { return "<template AllStates>"; }
  bool callable() const override { return true; }
  // Needs the rendering, which only calls and the object below have.
  Value call(Call& call) const override;
};

// `states` as a rendering sees it.
class BoundStates final : public Object {
 public:
  explicit BoundStates(Render& render) : render_(render) {}
  std::string_view type_name() const override { return "AllStates"; }
  std::string to_text() const override { return "<template AllStates>"; }
  bool callable() const override { return true; }
  Value call(Call& call) const override;
  std::optional<Value> attribute(std::string_view name) const override {
    return Value(ObjectPtr(std::make_shared<const DomainStates>(render_, std::string(name))));
  }
  std::optional<Value> item(const Value& key) const override {
    if (!key.is_text()) return {};
    if (key.text().find('.') == std::string_view::npos) return attribute(key.text());
    return state_value(find_state(render_, key.text()));
  }
  std::optional<Values> items() const override { return states_of(render_, ""); }
  std::optional<std::int64_t> length() const override {
    return static_cast<std::int64_t>(states_of(render_, "").size());
  }

 private:
  Render& render_;
};

// With the unit, and rounded as it is shown.
std::string shown_state(const core::State& state, bool rounded, bool with_unit) {
  std::string text(state.value());
  const auto number = rounded ? read_number(text) : std::nullopt;
  if (number && std::isfinite(*number) && text.size() > 12) text = number_text(std::round(*number * 100) / 100);
  const Value unit = with_unit ? attribute_of_state(state, "unit_of_measurement") : Value();
  return unit.is_text() ? fmt::format("{} {}", text, unit.text()) : text;
}

Value states_call(Call& call) {
  const Parameters in(call, "states", {"entity_id", "rounded", "with_unit"}, 1);
  const core::StatePtr state = find_state(call.render, in.text(0, ""));
  if (!state) return Value(core::kUnknown);
  const bool with_unit = in.flag(2, false);
  if (!with_unit && !in.has(1)) return Value(state->value());
  return Value(shown_state(*state, in.flag(1, with_unit), with_unit));
}

Value States::call(Call& call) const {
  return states_call(call);
}
Value BoundStates::call(Call& call) const {
  return states_call(call);
}

Value is_state(Call& call) {
  const Parameters in(call, "is_state", {"entity_id", "state"}, 2);
  const core::StatePtr state = find_state(call.render, in.text(0, ""));
  if (!state) return false;
  if (in[1].is_text()) return state->value() == in[1].text();
  for (const Value& one : items_of(in[1])) {
    if (one.is_text() && state->value() == one.text()) return true;
  }
  return false;
}

Value state_attribute(Call& call) {
  const Parameters in(call, "state_attr", {"entity_id", "name"}, 2);
  const core::StatePtr state = find_state(call.render, in.text(0, ""));
  return state ? attribute_of_state(*state, in.text(1, "")) : Value();
}

Value is_state_attribute(Call& call) {
  const Parameters in(call, "is_state_attr", {"entity_id", "name", "value"}, 3);
  const core::StatePtr state = find_state(call.render, in.text(0, ""));
  return state && equal(attribute_of_state(*state, in.text(1, "")), in[2]);
}

Value has_value(Call& call) {
  const Parameters in(call, "has_value", {"entity_id"}, 1);
  const core::StatePtr state = find_state(call.render, in.text(0, ""));
  return state && state->value() != core::kUnknown && state->value() != core::kUnavailable;
}

Value state_translated(Call& call) {
  const Parameters in(call, "state_translated", {"entity_id"}, 1);
  const core::StatePtr state = find_state(call.render, in.text(0, ""));
  return Value(state ? state->value() : core::kUnknown);
}

// Adds the states that a value names; those of a group instead of the group.
void expand_into(Render& render, const Value& value, std::map<std::string, core::StatePtr>& found) {
  const Deeper deeper;
  core::StatePtr state;
  if (value.is_text()) {
    for (std::string_view rest = value.text(); !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      if (comma < value.text().size()) expand_into(render, Value(trimmed(rest.substr(0, comma))), found);
      if (comma == value.text().size()) state = find_state(render, rest);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  } else if (const auto* object = value.get<ObjectPtr>(); object && state_of(*object)) {
    state = find_state(render, state_of(*object)->entity_id());
  } else {
    for (const Value& one : items_of(value)) expand_into(render, one, found);
    return;
  }
  if (!state || found.contains(std::string(state->entity_id()))) return;
  const Value members = attribute_of_state(*state, "entity_id");
  if (members.get<JsonNode>() && !members.is_mapping()) {
    found.emplace(state->entity_id(), nullptr);  // so that groups in a circle end
    return expand_into(render, members, found);
  }
  found.emplace(state->entity_id(), state);
}

Value expand(Call& call) {
  std::map<std::string, core::StatePtr> found;
  for (const Value& argument : call.positional) expand_into(call.render, argument, found);
  Values values;
  for (auto& [id, state] : found) {
    if (state) values.push_back(state_value(std::move(state)));
  }
  return Value::list(std::move(values));
}

struct Place {
  double latitude, longitude;
};

// Of a state, an entity id, or null.
std::optional<Place> place_of(Render& render, const Value& value) {
  core::StatePtr state;
  if (value.is_text())
    state = find_state(render, value.text());
  else if (const auto* object = value.get<ObjectPtr>(); object && state_of(*object))
    state = find_state(render, state_of(*object)->entity_id());
  if (!state) return {};
  const auto latitude = to_number(attribute_of_state(*state, "latitude")),
             longitude = to_number(attribute_of_state(*state, "longitude"));
  if (!latitude || !longitude) return {};
  return Place{*latitude, *longitude};
}

// Kilometres, along the surface of a sphere.
double kilometres(Place a, Place b) {
  constexpr double radius = 6371.0088, degree = std::numbers::pi / 180;
  const double north = std::sin((b.latitude - a.latitude) * degree / 2),
               east = std::sin((b.longitude - a.longitude) * degree / 2);
  const double h = north * north + std::cos(a.latitude * degree) * std::cos(b.latitude * degree) * east * east;
  return 2 * radius * std::asin(std::min(1.0, std::sqrt(h)));
}

std::optional<Place> home_place(Render& render) {
  if (!render.environment.home) return {};
  const auto config = render.environment.home->config();
  return Place{config->latitude, config->longitude};
}

Value distance(Call& call) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < call.positional.size(); ++i) {
    const auto latitude = as_double(call.positional[i]);
    if (latitude && i + 1 < call.positional.size()) {
      const auto longitude = as_double(call.positional[++i]);
      if (!longitude) return {};
      places.push_back({*latitude, *longitude});
    } else if (const auto place = place_of(call.render, call.positional[i])) {
      places.push_back(*place);
    } else {
      return {};
    }
  }
  if (places.size() == 1) {
    if (const auto home = home_place(call.render)) places.push_back(*home);
  }
  if (places.size() != 2) return {};
  const double length = kilometres(places[0], places[1]);
  const bool miles = call.render.environment.home &&
                     call.render.environment.home->config()->unit_system == core::UnitSystem::us_customary;
  return miles ? length / 1.609344 : length;
}

Value closest(Call& call) {
  std::optional<Place> from = home_place(call.render);
  Values rest = call.positional;
  if (rest.size() >= 3 && to_number(rest[0]) && to_number(rest[1])) {
    from = Place{*to_number(rest[0]), *to_number(rest[1])};
    rest.erase(rest.begin(), rest.begin() + 2);
  } else if (rest.size() == 2) {
    from = place_of(call.render, rest[0]);
    rest.erase(rest.begin());
  }
  if (!from || rest.size() != 1) return {};
  std::map<std::string, core::StatePtr> found;
  expand_into(call.render, rest[0], found);
  core::StatePtr best;
  double least = 0;
  for (const auto& [id, state] : found) {
    const auto place = state ? place_of(call.render, Value(id)) : std::nullopt;
    if (!place) continue;
    const double length = kilometres(*from, *place);
    if (best && length >= least) continue;
    best = state;
    least = length;
  }
  return state_value(std::move(best));
}

constexpr Builtin kStateFunctions[] = {
    {"closest", closest},
    {"distance", distance},
    {"expand", expand},
    {"has_value", has_value},
    {"is_state", is_state},
    {"is_state_attr", is_state_attribute},
    {"state_attr", state_attribute},
    {"state_translated", state_translated},
    {"states", states_call},
};
constexpr Builtin kHomeTests[] = {
    {"has_value", has_value}, {"is_state", is_state}, {"is_state_attr", is_state_attribute}};

}  // namespace

std::span<const Builtin> state_functions() {
  return kStateFunctions;
}
std::span<const Builtin> home_tests() {
  return kHomeTests;
}

const Value& states_object() {
  static const Value states = ObjectPtr(std::make_shared<const States>());
  return states;
}

Value bound_states(Render& render) {
  return ObjectPtr(std::make_shared<const BoundStates>(render));
}

}  // namespace hearth::templates
