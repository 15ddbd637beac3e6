// SPDX-License-Identifier: Apache-2.0
#include "automation/context_value.h"

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

}  // namespace hearth::automation
