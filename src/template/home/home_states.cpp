// SPDX-License-Identifier: Apache-2.0
// `states`, and the functions of states. What the caller may not read is absent.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/utf8.h"
#include "core/values/entity_id.h"
#include "template/home/state_value.h"
#include "template/language/builtins.h"
#include "template/language/home.h"
#include "template/language/render.h"
#include "template/values/text.h"

namespace hearth::templates {
namespace {

// None if there is none; fails with value if there cannot be.
Value named_state(Render& render, std::string_view entity_id) {
  const core::StatePtr state = find_state(render, entity_id);
  if (!state && !core::EntityId::parse(entity_id))
    fail(FailureKind::value, fmt::format("Invalid entity ID '{}'", entity_id));
  return state_value(state);
}

// The render of a value that outlives no rendering.
class DomainStates final : public Object {
 public:
  DomainStates(Render& render, std::string domain) : render_(render), domain_(std::move(domain)) {}
  std::string_view type_name() const override { return "DomainStates"; }
  std::string to_text() const override { return fmt::format("<template DomainStates('{}')>", domain_); }
  std::optional<Value> attribute(std::string_view name) const override {
    return named_state(render_, domain_ + '.' + std::string(name));
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
    if (!core::is_slug(name)) fail(FailureKind::value, fmt::format("Invalid domain name '{}'", name));
    return Value(ObjectPtr(std::make_shared<const DomainStates>(render_, std::string(name))));
  }
  std::optional<Value> item(const Value& key) const override {
    if (!key.is_text()) return {};
    if (key.text().find('.') == std::string_view::npos) return attribute(key.text());
    return named_state(render_, key.text());
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
  const auto is = [&](const Value& value) { return value.is_text() && state->value() == value.text(); };
  // One of a list; a number is no state, and neither is a tuple.
  const bool list = in[1].get<List>() || (in[1].get<JsonNode>() && !in[1].is_mapping());
  return list ? std::ranges::any_of(items_of(in[1]), is) : is(in[1]);
}

Value state_attribute(Call& call) {
  const Parameters in(call, "state_attr", {"entity_id", "name"}, 2);
  const core::StatePtr state = find_state(call.render, in.text(0, ""));
  return state ? attribute_of_state(*state, in.text(1, "")) : Value();
}

Value is_state_attribute(Call& call) {
  const Parameters in(call, "is_state_attr", {"entity_id", "name", "value"}, 3);
  const core::StatePtr state = find_state(call.render, in.text(0, ""));
  const Value found = state ? attribute_of_state(*state, in.text(1, "")) : Value();
  return !found.is_none() && equal(found, in[2]);  // none is what is not there
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

// The members of a group, the persons in a zone; null of all else.
std::optional<Value> members_of(Render& render, const core::State& state) {
  std::string_view key;
  if (state.domain() == "zone") {
    key = "persons";
  } else {
    const auto* const home = render.environment.home;
    const auto registry = home ? std::optional(home->registry()) : std::nullopt;
    const auto* const entity = registry ? registry->find_entity(state.entity_id()) : nullptr;
    if (state.domain() == "group" || (entity && entity->integration == "group")) key = "entity_id";
  }
  if (key.empty()) return {};
  return attribute_of_state(state, key);
}

using Expanded = std::map<std::string, core::StatePtr>;

// Adds the states that a value names; what names none is skipped.
void expand_into(Render& render, const Value& value, Expanded& found) {
  const Deeper deeper;
  core::StatePtr state;
  if (value.is_text()) {
    // Several ids with commas, too.
    for (std::string_view rest = value.text(); !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      if (comma < value.text().size()) expand_into(render, Value(trimmed(rest.substr(0, comma))), found);
      if (comma == value.text().size()) state = find_state(render, rest);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  } else if (const auto* object = value.get<ObjectPtr>(); object && state_of(*object)) {
    state = find_state(render, state_of(*object)->entity_id());
  } else if (const auto* undefined = value.get<Undefined>()) {
    fail(undefined->kind, *undefined->message);
  } else if (!value.is_none() && !value.is_number()) {
    for (const Value& one : items_of(value)) expand_into(render, one, found);
    return;
  }
  if (!state || found.contains(std::string(state->entity_id()))) return;
  if (const auto members = members_of(render, *state)) {
    found.emplace(state->entity_id(), nullptr);  // so that groups in a circle end
    return expand_into(render, *members, found);
  }
  found.emplace(state->entity_id(), state);
}

std::vector<core::StatePtr> states_in(Expanded found) {
  std::vector<core::StatePtr> states;
  for (auto& [id, state] : found) {
    if (state) states.push_back(std::move(state));
  }
  return states;
}

Value expand(Call& call) {
  call.render.saw_beyond_lists();
  if (!call.named.empty()) fail(FailureKind::type, "expand() takes no keyword arguments");
  Expanded found;
  for (const Value& argument : call.positional) expand_into(call.render, argument, found);
  Values values;
  for (core::StatePtr& state : states_in(std::move(found))) values.push_back(state_value(std::move(state)));
  return Value::list(std::move(values));
}

constexpr Builtin kStateFunctions[] = {
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

std::vector<core::StatePtr> expanded(Render& render, const Value& value) {
  Expanded found;
  expand_into(render, value, found);
  return states_in(std::move(found));
}

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
