// SPDX-License-Identifier: Apache-2.0
// The variables of a template, as they are stored and as templates look them up.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "template/values/value.h"

namespace hearth::templates {

// Names with their values; few. Of a name that is there twice, the first counts.
using Variables = std::vector<std::pair<std::string, Value>>;

// Variables of several scopes, as they are at each look, without a copy: an inner scope hides the names of outer ones.
// All of them must outlive this, and stay where they are.
class VariablesView {
 public:
  VariablesView() = default;                                             // no variables
  VariablesView(const Variables& variables) : innermost_(&variables) {}  // NOLINT: as a string becomes a view
  VariablesView(const Variables& inner, const VariablesView& outer);

  void add_outer(const Variables& variables);
  // Null if no scope has it.
  const Value* find(std::string_view name) const;
  // Innermost first, with the hidden ones.
  Variables copied() const;

 private:
  const Variables* innermost_ = nullptr;  // apart, so that one scope takes no memory
  std::vector<const Variables*> outer_;   // from the inner to the outer
};

}  // namespace hearth::templates
