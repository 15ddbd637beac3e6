// SPDX-License-Identifier: Apache-2.0
// Python's operators. They fail with type for operands that do not fit, with zero_division, and with limit if a number
// becomes too large.
#pragma once

#include "template/values/value.h"

namespace hearth::templates {

enum class Operator { add, subtract, multiply, divide, floor_divide, modulo, power };

std::string_view sign_of(Operator op);
Value calculate(Operator op, const Value& a, const Value& b);
Value negative(const Value& value);
Value positive(const Value& value);

}  // namespace hearth::templates
