// SPDX-License-Identifier: Apache-2.0
#include "domains/scenes/desired_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/log/log.h"
#include "base/text/utf8.h"
#include "core/values/entity_id.h"
#include "domains/entities/kinds.h"
#include "domains/light/color.h"

namespace hearth::domains {
namespace {

using base::ErrorCode;
using base::fail;

constexpr std::string_view kTheState = "state";
constexpr core::Words kColors =
    "hs_color rgb_color rgbw_color rgbww_color xy_color color_temp_kelvin color_temp kelvin";
constexpr std::string_view kKelvin = "color_temp_kelvin";
constexpr std::pair<std::string_view, bool> kOldNames[] = {{"kelvin", true}, {"color_temp", false}};

// A scene may ask this of things that the configuration makes happen: on or off.
constexpr Action kTurnOnOff[] = {{.service = "turn_on", .name = "", .description = "", .value = "on"},
                                 {.service = "turn_off", .name = "", .description = "", .value = "off"}};
constexpr Kind kSwitched[] = {{.domain = "automation",
                               .description = "",
                               .value = field::Option{"on off"},
                               .on = "turn_on",
                               .off = "turn_off",
                               .actions = kTurnOnOff},
                              {.domain = "script",
                               .description = "",
                               .value = field::Option{"on off"},
                               .on = "turn_on",
                               .off = "turn_off",
                               .actions = kTurnOnOff}};

// True if it is one whose members have the services.
bool is_group(std::string_view entity_id) {
  return entity_id.starts_with("group.");
}

// Of the entity's domain; null if there is none.
const Kind* kind_of(std::string_view entity_id) {
  const std::string_view domain = entity_id.substr(0, entity_id.find('.'));
  const auto switched = std::ranges::find(kSwitched, domain, &Kind::domain);
  return switched == std::end(kSwitched) ? find_kind(domain) : switched;
}

// The target of the input: an attribute, or `state`.
std::string_view target_of(const Input& input) {
  return input.sets.empty() ? input.field.name : input.sets;
}

bool commands(const Action& action) {
  return !action.toggles && !action.answers;
}

// True if all that the service requires is among the desired attributes.
bool possible(const Action& action, const json::object& attributes, bool with_value) {
  return std::ranges::all_of(action.fields, [&](const Input& input) {
    const std::string_view target = target_of(input);
    return !input.field.required || (target == kTheState ? with_value : attributes.contains(target));
  });
}

// The service that brings about the value; null if there is none.
const Action* action_for(const Kind& kind, const DesiredState& desired) {
  for (const Action& action : kind.actions) {
    const bool sets =
        std::ranges::any_of(action.fields, [](const Input& each) { return target_of(each) == kTheState; });
    if (sets && commands(action) && possible(action, desired.attributes, true)) return &action;
  }
  for (const Action& action : kind.actions) {
    if (action.value == desired.value && commands(action) && possible(action, desired.attributes, false))
      return &action;
  }
  if (kind.active.contains(desired.value) && !kind.on.empty()) return kind.find_action(kind.on);
  if (desired.value == std::string_view("off") && !kind.off.empty()) return kind.find_action(kind.off);
  return nullptr;
}

// The field that takes a moment of this form, of a service that sets a date, a time of the day, or both. Null if it has
// none.
const Input* moment_field(const Action& action, std::string_view value) {
  const auto fits = [&](const Input& input) {
    const field::Type& type = input.field.type;
    const bool is_moment = std::holds_alternative<field::Date>(type) || std::holds_alternative<field::Time>(type) ||
                           std::holds_alternative<field::DateTime>(type);
    return is_moment && field::convert(type, json::value(value));
  };
  const auto found = std::ranges::find_if(action.fields, fits);
  return found == action.fields.end() ? nullptr : &*found;
}

// The call that sets the moment that is the value; null if no service does.
std::optional<DesiredCall> moment_call(const Kind& kind, const std::string& value) {
  if (!std::holds_alternative<field::Text>(kind.value)) return {};
  for (const Action& action : kind.actions) {
    if (const Input* const input = moment_field(action, value))
      return DesiredCall{action.service, {{input->field.name, value}}};
  }
  return {};
}

const json::value* desired_value(const DesiredState& desired, std::string_view attribute) {
  const json::value* const value = desired.attributes.if_contains(attribute);
  return value && !value->is_null() ? value : nullptr;
}

// Of several fields that exclude each other only one: a colour by the desired colour mode, otherwise the last.
void keep_one(core::Words excluding, std::string_view preferred, json::object& data) {
  std::string_view kept;
  for (const std::string_view name : excluding) {
    if (data.contains(name) && (kept.empty() || kept != preferred)) kept = name;
  }
  for (const std::string_view name : excluding) {
    if (name != kept) data.erase(name);
  }
}

std::string color_field(const DesiredState& desired) {
  const json::value* const mode = desired_value(desired, "color_mode");
  if (!mode || !mode->is_string()) return "";
  const std::string_view name = mode->get_string();
  return name == "color_temp" ? std::string(kKelvin) : std::string(name) + "_color";
}

json::object data_for(const Action& action, const DesiredState& desired, std::optional<double> transition) {
  json::object data;
  for (const Input& input : action.fields) {
    if (target_of(input) == kTheState)
      data[input.field.name] = desired.value;
    else if (const json::value* const value = desired_value(desired, target_of(input)))
      data[input.field.name] = *value;
    else if (transition && input.field.name == "transition")
      data["transition"] = *transition;
  }
  keep_one(kColors, color_field(desired), data);
  if (action.one_of.begin() != action.one_of.end()) keep_one(action.one_of, "", data);
  return data;
}

// The service that sets the attribute alone, or with others; null if there is none.
const Action* setter_of(const Kind& kind, std::string_view attribute, const DesiredState& desired) {
  for (const Action& action : kind.actions) {
    const bool sets =
        std::ranges::any_of(action.fields, [&](const Input& each) { return target_of(each) == attribute; });
    if (sets && commands(action) && action.value.empty() && possible(action, desired.attributes, false)) return &action;
  }
  return nullptr;
}

bool settable(const Kind& kind, std::string_view attribute) {
  return attribute == "color_mode" || std::ranges::any_of(kind.actions, [&](const Action& action) {
           return commands(action) && std::ranges::any_of(action.fields, [&](const Input& each) {
                    return target_of(each) == attribute && kind.find_attribute(attribute);
                  });
         });
}

// The calls that bring it about, whatever the entity is like now.
base::Result<std::vector<DesiredCall>> calls_from_anywhere(const Kind& kind, const DesiredState& desired,
                                                           std::optional<double> transition) {
  std::vector<DesiredCall> calls;
  // A position says more than open or closed, and a motor starts once.
  const bool by_position = desired_value(desired, "current_position") && setter_of(kind, "current_position", desired);
  const Action* const main = by_position ? nullptr : action_for(kind, desired);
  if (!main && !by_position) {
    return fail(ErrorCode::invalid, fmt::format("{}: no service of {} brings about {}", desired.entity_id, kind.domain,
                                                base::utf8_excerpt(desired.value)));
  }
  if (main) calls.push_back({main->service, data_for(*main, desired, transition)});
  if (main && main->service == kind.off) return calls;  // what is off shows nothing else
  for (const auto& [name, value] : desired.attributes) {
    const bool set = std::ranges::any_of(calls, [&](const DesiredCall& call) {
      const Action* const action = kind.find_action(call.service);
      return std::ranges::any_of(action->fields, [&](const Input& each) { return target_of(each) == name; });
    });
    const Action* const setter = set || value.is_null() ? nullptr : setter_of(kind, name, desired);
    if (setter) calls.push_back({setter->service, data_for(*setter, desired, transition)});
  }
  return calls;
}

bool same(const field::Type& type, const json::value& one, const json::value& other) {
  const auto left = field::convert(type, one), right = field::convert(type, other);
  return left && right ? *left == *right : one == other;
}

bool has_value(const Kind& kind, const DesiredState& desired, const core::State& now) {
  return same(kind.value, json::value(now.value()), json::value(desired.value));
}

// True if an entity with these attributes lacks an ability that the call needs to set the field.
bool cannot_set(const Kind& kind, const Action& action, const Input& input, const json::object& now) {
  const json::value* const features = now.if_contains("supported_features");
  const unsigned needs = kind.features_of(action.needs) | kind.features_of(input.needs);
  return features && features->is_int64() && (needs & ~static_cast<std::uint64_t>(features->get_int64())) != 0;
}

// True if the call would leave the attributes as they are now. What a state does not show may be otherwise; how long a
// change takes is nothing that it has.
bool is_idle(const Kind& kind, const DesiredCall& call, const json::object& now) {
  const Action& action = *kind.find_action(call.service);
  return std::ranges::all_of(action.fields, [&](const Input& input) {
    const json::value* const wanted = call.data.if_contains(input.field.name);
    if (!wanted || target_of(input) == kTheState || input.field.name == "transition") return true;
    const json::value* const value = now.if_contains(target_of(input));
    return cannot_set(kind, action, input, now) || (value && same(input.field.type, *value, *wanted));
  });
}

// Of a lamp: a colour may be shown in another mode, too.
bool in_desired_mode(const DesiredState& desired, const std::vector<DesiredCall>& calls, const json::object& now) {
  const json::value* const value = now.if_contains("color_mode");
  const auto sets_it = [field = color_field(desired)](const DesiredCall& call) { return call.data.contains(field); };
  return std::ranges::none_of(calls, sets_it) || (value && *value == desired.attributes.at("color_mode"));
}

bool changes_nothing(const Kind& kind, const DesiredState& desired, const std::vector<DesiredCall>& calls,
                     const json::object& now) {
  const auto idle = [&](const DesiredCall& call) { return is_idle(kind, call, now); };
  return std::ranges::all_of(calls, idle) && in_desired_mode(desired, calls, now);
}

// The old names of a white's temperature become the one that states have.
void take_old_names(json::object& attributes) {
  for (const auto& [name, in_kelvin] : kOldNames) {
    const json::value* const value = attributes.if_contains(name);
    const auto number = value ? field::convert(field::Number{1, 1e6}, *value) : std::nullopt;
    if (!number) continue;
    const double kelvin = number->to_number<double>();
    attributes.stable_erase(name);
    if (json::value& wanted = attributes[kKelvin]; wanted.is_null())
      wanted = in_kelvin ? std::llround(kelvin) : mired_to_kelvin(kelvin);
  }
}

}  // namespace

base::Result<DesiredState> DesiredState::parse(std::string_view entity_id, const json::value& wanted) {
  DesiredState desired{.entity_id = core::lower_case(entity_id), .value = {}};
  const Kind* const kind = kind_of(desired.entity_id);
  const auto wrong = [&](std::string_view what) {
    return fail(ErrorCode::invalid, fmt::format("{}: {}", base::utf8_excerpt(desired.entity_id), what));
  };
  if (!core::EntityId::parse(desired.entity_id)) return wrong("not an entity id");
  if (!kind || (kind->actions.empty() && !is_group(desired.entity_id)))
    return wrong("no service can change an entity of its domain");
  json::value value = wanted;
  if (const json::object* const object = wanted.if_object()) {
    desired.attributes = *object;
    const json::value* const state = object->if_contains(kTheState);
    if (!state) return wrong("expected a state, or an object with `state`");
    value = *state;
    desired.attributes.stable_erase(kTheState);
    if (kind == &kLight) take_old_names(desired.attributes);
  }
  const auto text = value_text(*kind, value);
  if (!text || value.is_null() || *text == core::kUnknown || *text == core::kUnavailable)
    return wrong(fmt::format("state: expected {}, got {}", field::expected(kind->value), base::to_json(value)));
  desired.value = *text;
  return desired;
}

base::Result<DesiredState> DesiredState::of(const core::State& state) {
  json::object wanted{{kTheState, state.value()}};
  const Kind* const kind = kind_of(state.entity_id());
  for (const auto& [name, value] : state.attributes()) {
    if (kind && settable(*kind, name) && !value.is_null()) wanted[name] = value;
  }
  return parse(state.entity_id(), wanted);
}

std::vector<DesiredState> spread(const DesiredState& desired, const FindState& find) {
  std::vector<DesiredState> all, next{desired};
  std::set<std::string> groups;
  while (!next.empty()) {
    const DesiredState each = std::move(next.back());
    next.pop_back();
    const core::StatePtr state = is_group(each.entity_id) ? find(each.entity_id) : nullptr;
    if (!state) {
      all.push_back(each);
      continue;
    }
    if (!groups.insert(each.entity_id).second) continue;
    const json::object attributes = state->attributes();
    const json::value* const found = attributes.if_contains("entity_id");
    const json::array* const members = found ? found->if_array() : nullptr;
    for (std::size_t index = members ? members->size() : 0; index-- > 0;) {
      const auto* const id = (*members)[index].if_string();
      auto wanted = DesiredState::parse(id ? std::string_view(*id) : std::string_view(), each.to_json());
      if (wanted)
        next.push_back(std::move(*wanted));
      else
        base::log_warning("domains", "{} leaves out a member: {}", each.entity_id, wanted.error().message);
    }
  }
  return all;
}

json::value DesiredState::to_json() const {
  json::object object{{kTheState, value}};
  for (const auto& [name, wanted] : attributes) object[name] = wanted;
  return object;
}

base::Result<std::vector<DesiredCall>> calls_for(const DesiredState& desired, const core::State& now,
                                                 std::optional<double> transition) {
  const Kind& kind = *kind_of(desired.entity_id);
  auto calls = calls_from_anywhere(kind, desired, transition);
  const bool has = has_value(kind, desired, now);
  // Perhaps no service brings about what it is already.
  if (has && (!calls || changes_nothing(kind, desired, *calls, now.attributes()))) return {};
  auto moment = calls ? std::nullopt : moment_call(kind, desired.value);
  return moment ? std::vector{std::move(*moment)} : calls;
}

}  // namespace hearth::domains
