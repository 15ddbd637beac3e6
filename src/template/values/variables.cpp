// SPDX-License-Identifier: Apache-2.0
#include "template/values/variables.h"

#include <algorithm>

namespace hearth::templates {
namespace {

const Value* variable_in(const Variables& variables, std::string_view name) {
  const auto found = std::ranges::find(variables, name, &Variables::value_type::first);
  return found == variables.end() ? nullptr : &found->second;
}

}  // namespace

VariablesView::VariablesView(const Variables& inner, const VariablesView& outer) : innermost_(&inner) {
  if (!outer.innermost_) return;
  outer_.reserve(1 + outer.outer_.size());
  outer_.push_back(outer.innermost_);
  outer_.insert(outer_.end(), outer.outer_.begin(), outer.outer_.end());
}

void VariablesView::add_outer(const Variables& variables) {
  if (innermost_)
    outer_.push_back(&variables);
  else
    innermost_ = &variables;
}

const Value* VariablesView::find(std::string_view name) const {
  if (!innermost_) return nullptr;
  if (const Value* const value = variable_in(*innermost_, name)) return value;
  for (const Variables* const scope : outer_) {
    if (const Value* const value = variable_in(*scope, name)) return value;
  }
  return nullptr;
}

Variables VariablesView::copied() const {
  Variables all;
  if (innermost_) all = *innermost_;
  for (const Variables* const scope : outer_) all.insert(all.end(), scope->begin(), scope->end());
  return all;
}

}  // namespace hearth::templates
