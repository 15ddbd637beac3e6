// SPDX-License-Identifier: Apache-2.0
#include "automation/values/context_value.h"

#include "template/home/state_value.h"

namespace hearth::automation {

templates::Value context_value(const core::Context& context) {
  using templates::Value;
  const auto text = [](const std::optional<base::Id>& id) { return id ? Value(std::string_view(*id)) : Value(); };
  templates::Dict dict;
  dict.set("id", Value(std::string_view(context.id)));
  dict.set("parent_id", text(context.parent_id));
  dict.set("user_id", text(context.user_id));
  return Value::dict(std::move(dict));
}

templates::Value late_this(const templates::Value& state, base::Duration late) {
  using templates::Value;
  templates::Dict made;
  if (const auto* const object = state.get<templates::ObjectPtr>()) {
    for (const char* const name :
         {"entity_id", "domain", "object_id", "name", "state", "last_changed", "last_updated", "context"}) {
      if (auto value = (*object)->attribute(name)) made.set(name, std::move(*value));
    }
    const core::StatePtr known = templates::state_of(*object);
    if (known) made.set("attributes", Value::from_json(known->attributes()));
  } else if (const auto* const before = state.get<templates::DictPtr>()) {
    for (const auto& [key, value] : (*before)->entries()) made.set(key, value);
  }
  made.set("late", std::chrono::duration<double>(late).count());
  return Value::dict(std::move(made));
}

}  // namespace hearth::automation
