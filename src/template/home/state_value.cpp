// SPDX-License-Identifier: Apache-2.0
#include "template/home/state_value.h"

#include <fmt/format.h>

#include <algorithm>

#include "template/language/render.h"

namespace hearth::templates {
namespace {

Value time_value(base::Timestamp time) {
  return DateTime{time.time_since_epoch().count(), Zone::utc()};
}

Value attributes_of(const core::State& state) {
  charge_size(state.attributes_json().size());
  return Value::from_json(json::value(state.attributes()));
}

std::string name_of(const core::State& state) {
  const Value name = attribute_of_state(state, "friendly_name");
  if (name.is_text()) return std::string(name.text());
  std::string object_id(state.entity_id().substr(state.entity_id().find('.') + 1));
  std::replace(object_id.begin(), object_id.end(), '_', ' ');
  return object_id;
}

class ContextObject final : public Object {
 public:
  explicit ContextObject(core::Context context) : context_(std::move(context)) {}
  std::string_view type_name() const override { return "Context"; }
  std::optional<Value> attribute(std::string_view name) const override {
    const auto optional = [](const auto& id) { return id ? Value(std::string_view(*id)) : Value(); };
    if (name == "id") return Value(std::string_view(context_.id));
    if (name == "parent_id") return optional(context_.parent_id);
    if (name == "user_id") return optional(context_.user_id);
    return {};
  }

 private:
  const core::Context context_;
};

class StateObject final : public Object {
 public:
  explicit StateObject(core::StatePtr state) : state_(std::move(state)) {}
  const core::StatePtr& state() const { return state_; }
  std::string_view type_name() const override { return "TemplateState"; }
  std::string to_text() const override {
    return fmt::format("<template TemplateState(<state {}={}>)>", state_->entity_id(), state_->value());
  }
  bool equals(const Object& other) const override {
    const auto* const state = dynamic_cast<const StateObject*>(&other);
    return state && state->state_->json() == state_->json();
  }
  std::optional<Value> attribute(std::string_view name) const override {
    if (name == "state") return Value(state_->value());
    if (name == "attributes") return attributes_of(*state_);
    if (name == "entity_id") return Value(state_->entity_id());
    if (name == "domain") return Value(state_->domain());
    if (name == "object_id") return Value(state_->entity_id().substr(state_->entity_id().find('.') + 1));
    if (name == "name") return Value(name_of(*state_));
    if (name == "last_changed") return time_value(state_->last_changed());
    if (name == "last_updated" || name == "last_reported") return time_value(state_->last_updated());
    if (name == "context") return Value(ObjectPtr(std::make_shared<const ContextObject>(state_->context())));
    if (name == "state_with_unit") {
      const Value unit = attribute_of_state(*state_, "unit_of_measurement");
      return Value(unit.is_text() ? fmt::format("{} {}", state_->value(), unit.text()) : std::string(state_->value()));
    }
    return {};
  }
  std::optional<Value> item(const Value& key) const override {
    return key.is_text() ? attribute(key.text()) : std::nullopt;
  }

 private:
  const core::StatePtr state_;
};

}  // namespace

Value attribute_of_state(const core::State& state, std::string_view name) {
  charge_size(state.attributes_json().size());
  const json::object attributes = state.attributes();
  const json::value* const found = attributes.if_contains(name);
  return found ? Value::from_json(json::value(*found)) : Value();
}

Value state_value(core::StatePtr state) {
  return state ? Value(ObjectPtr(std::make_shared<const StateObject>(std::move(state)))) : Value();
}

core::StatePtr state_of(const ObjectPtr& object) {
  const auto* const state = dynamic_cast<const StateObject*>(object.get());
  return state ? state->state() : nullptr;
}

}  // namespace hearth::templates
