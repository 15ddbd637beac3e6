// SPDX-License-Identifier: Apache-2.0
// Integers of any size, as Python has them: a Value holds an integer that does not fit into 64 bits as a BigInteger.
// Functions fail with limit past kMostBits, so that one operation costs little.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "template/values/value.h"

namespace hearth::templates {

using Integer = boost::multiprecision::cpp_int;

class LongInteger {
 public:
  explicit LongInteger(Integer number) : value(std::move(number)) {}
  const Integer value;
};

constexpr std::size_t kMostBits = 16'384;
constexpr std::size_t kMostDigits = 4'300;  // of decimal text, as in Python

// The smallest kind of value that holds it.
Value integer_value(Integer number);
Value integer_value(std::uint64_t number);
// Of an int or bool; null for everything else.
std::optional<Integer> as_integer(const Value& value);
// Without its fraction. Null if it is not finite.
std::optional<Value> truncated(double number);

// The nearest double, half to even. Fails with limit if there is none.
double nearest_double(const Integer& number);
// a / b as the nearest double. REQUIRES: b is not 0
double quotient(const Integer& a, const Integer& b);
// -1, 0 or 1, exactly; 2 if the double is NaN.
int compare(const Integer& a, double b);
int compare(std::int64_t a, double b);

// The digits of a number without its sign. Fails with value if a decimal text is too long.
std::string digits_of(const Integer& magnitude, int base);
std::string integer_digits(const Value& integer, int base, bool large);  // large: as hexadecimal ones, in capitals
bool is_negative(const Value& integer);
// The number that Python's int() reads in that base, 0 for any prefix; null if it is none. Fails with value if it has
// too many digits.
std::optional<Value> read_integer(std::string_view text, int base);

}  // namespace hearth::templates
