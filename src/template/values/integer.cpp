// SPDX-License-Identifier: Apache-2.0
#include "template/values/integer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "template/values/text.h"
#include "template/values/unicode.h"

namespace hearth::templates {
namespace {

[[noreturn]] void fail_digits() {
  fail(FailureKind::value, fmt::format("Exceeds the limit ({} digits) for integer string conversion", kMostDigits));
}

std::size_t bits_of(const Integer& magnitude) {
  return magnitude == 0 ? 0 : boost::multiprecision::msb(magnitude) + 1;
}

// The double nearest to magnitude · 2^exponent, of which bits below are lost if `more` is true.
double scaled(const Integer& magnitude, bool more, int exponent) {
  const std::size_t bits = bits_of(magnitude);
  if (bits <= 64) {
    auto top = static_cast<std::uint64_t>(magnitude);
    // A lost bit only decides between two doubles that are equally near.
    if (more && bits == 64) top |= 1;
    return std::ldexp(static_cast<double>(top), exponent);
  }
  const std::size_t shift = bits - 64;
  auto top = static_cast<std::uint64_t>(magnitude >> shift);
  if (more || boost::multiprecision::lsb(magnitude) < shift) top |= 1;
  return std::ldexp(static_cast<double>(top), exponent + static_cast<int>(shift));
}

double finite(double number, bool negative) {
  if (std::isinf(number)) fail(FailureKind::limit, "int too large to convert to float");
  return negative ? -number : number;
}

std::optional<int> digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char small = static_cast<char>(c | 0x20);
  if (small >= 'a' && small <= 'z') return small - 'a' + 10;
  return {};
}

bool is_power_of_two(int base) {
  return (base & (base - 1)) == 0;
}

}  // namespace

Value integer_value(Integer number) {
  if (number >= std::numeric_limits<std::int64_t>::min() && number <= std::numeric_limits<std::int64_t>::max()) {
    return static_cast<std::int64_t>(number);
  }
  const std::size_t bits = bits_of(number < 0 ? Integer(-number) : number);
  charge_size(bits / 8);
  if (bits > kMostBits) fail(FailureKind::limit, fmt::format("an integer may have at most {} bits", kMostBits));
  return BigInteger{std::make_shared<const LongInteger>(std::move(number))};
}

Value integer_value(std::uint64_t number) {
  if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return static_cast<std::int64_t>(number);
  return integer_value(Integer(number));
}

std::optional<Integer> as_integer(const Value& value) {
  if (const auto* big = value.get<BigInteger>()) return big->number->value;
  if (const auto integer = as_int(value)) return Integer(*integer);
  return {};
}

std::optional<Value> truncated(double number) {
  if (!std::isfinite(number)) return {};
  if (std::abs(number) < 0x1p63) return static_cast<std::int64_t>(number);
  return integer_value(Integer(std::trunc(number)));
}

double nearest_double(const Integer& number) {
  const bool negative = number < 0;
  return finite(scaled(negative ? Integer(-number) : number, false, 0), negative);
}

double quotient(const Integer& a, const Integer& b) {
  if (a == 0) return 0;
  const bool negative = (a < 0) != (b < 0);
  Integer dividend = boost::multiprecision::abs(a), divisor = boost::multiprecision::abs(b), rest;
  // At least 64 bits of the result, of which a double keeps 53. One so small that it has fewer bits cannot occur: that
  // takes more bits than an integer may have.
  const int shift = std::max(0, 65 + static_cast<int>(bits_of(divisor)) - static_cast<int>(bits_of(dividend)));
  dividend <<= shift;
  Integer result;
  boost::multiprecision::divide_qr(dividend, divisor, result, rest);
  return finite(scaled(result, rest != 0, -shift), negative);
}

int compare(const Integer& a, double b) {
  if (std::isnan(b)) return 2;
  if (std::isinf(b)) return b > 0 ? -1 : 1;
  const double whole = std::floor(b);
  const int order = a.compare(Integer(whole));
  if (order != 0) return order < 0 ? -1 : 1;
  return whole < b ? -1 : 0;
}

int compare(std::int64_t a, double b) {
  if (std::abs(b) < 0x1p53) {
    const double number = static_cast<double>(a);
    return number < b ? -1 : number > b ? 1 : 0;
  }
  if (std::isnan(b)) return 2;
  if (b >= 0x1p63) return -1;
  if (b < -0x1p63) return 1;
  const auto whole = static_cast<std::int64_t>(b);  // it has no fraction
  return a < whole ? -1 : a > whole ? 1 : 0;
}

std::string digits_of(const Integer& magnitude, int base) {
  const std::size_t bits = bits_of(magnitude);
  if (base == 16 || base == 8) {
    charge_size(bits);
    return magnitude.str(0, base == 16 ? std::ios_base::hex : std::ios_base::oct);
  }
  if (base == 2) {
    charge_size(bits);
    std::string digits(std::max<std::size_t>(bits, 1), '0');
    for (std::size_t i = 0; i < bits; ++i) {
      if (boost::multiprecision::bit_test(magnitude, static_cast<unsigned>(i))) digits[bits - 1 - i] = '1';
    }
    return digits;
  }
  charge_size(bits * bits / 64);
  std::string digits = magnitude.str();
  if (digits.size() > kMostDigits) fail_digits();
  return digits;
}

std::string integer_digits(const Value& integer, int base, bool large) {
  std::string text;
  if (const auto small = as_int(integer)) {
    char buffer[72];
    const auto size = *small < 0 ? 0 - static_cast<std::uint64_t>(*small) : static_cast<std::uint64_t>(*small);
    text.assign(buffer, std::to_chars(buffer, buffer + sizeof buffer, size, base).ptr);
  } else {
    text = digits_of(boost::multiprecision::abs(*as_integer(integer)), base);
  }
  if (large)
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' ? static_cast<char>(c - 32) : c; });
  return text;
}

bool is_negative(const Value& integer) {
  const auto small = as_int(integer);
  return small ? *small < 0 : *as_integer(integer) < 0;
}

std::optional<Value> read_integer(std::string_view text, int base) {
  text = trimmed(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const auto prefixed = [&](char small) { return text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == small; };
  bool prefix = true;
  if ((base == 16 || base == 0) && prefixed('x'))
    base = 16;
  else if ((base == 2 || base == 0) && prefixed('b'))
    base = 2;
  else if ((base == 8 || base == 0) && prefixed('o'))
    base = 8;
  else
    prefix = false;
  if (prefix) text.remove_prefix(text[2] == '_' ? 3 : 2);
  const bool literal = base == 0;
  if (literal) base = 10;
  // Digits of other scripts count as those of ASCII.
  std::string digits;
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_code_point(text, i);
    if (c == '_') {
      if (digits.empty() || digits.back() == '_') return {};
      digits += '_';
    } else if (c < 0x80) {
      digits += static_cast<char>(c);
    } else if (const auto decimal = decimal_value(c)) {
      digits += static_cast<char>('0' + *decimal);
    } else {
      return {};
    }
  }
  if (digits.empty() || digits.back() == '_') return {};
  std::erase(digits, '_');
  for (const char c : digits) {
    const auto digit = digit_value(c);
    if (!digit || *digit >= base) return {};
  }
  if (literal && digits[0] == '0' && digits.find_first_not_of('0') != std::string::npos) return {};  // as 010
  std::uint64_t number = 0;
  const auto status = std::from_chars(digits.data(), digits.data() + digits.size(), number, base).ec;
  if (status == std::errc()) {
    if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return negative ? -static_cast<std::int64_t>(number) : static_cast<std::int64_t>(number);
    Integer big = number;
    return integer_value(negative ? Integer(-big) : big);
  }
  if (!is_power_of_two(base) && digits.size() > kMostDigits) fail_digits();
  if (digits.size() > kMostBits)
    fail(FailureKind::limit, fmt::format("an integer may have at most {} bits", kMostBits));
  charge_size(digits.size() * digits.size() / 16);
  Integer big = 0;
  for (const char c : digits) big = big * base + *digit_value(c);
  return integer_value(negative ? Integer(-big) : big);
}

}  // namespace hearth::templates
