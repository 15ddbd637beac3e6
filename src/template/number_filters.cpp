// SPDX-License-Identifier: Apache-2.0
// Filters and functions of numbers.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "template/arithmetic.h"
#include "template/builtins.h"
#include "template/text.h"

namespace hearth::templates {
namespace {

// The digits that Python's int() reads in that base; null if it is none.
std::optional<std::int64_t> read_integer(std::string_view text, int base) {
  text = trimmed(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const auto prefixed = [&](char small) { return text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == small; };
  if ((base == 16 || base == 0) && prefixed('x')) text.remove_prefix(2), base = 16;
  if ((base == 2 || base == 0) && prefixed('b')) text.remove_prefix(2), base = 2;
  if ((base == 8 || base == 0) && prefixed('o')) text.remove_prefix(2), base = 8;
  if (base == 0) base = 10;
  std::string digits;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '_' && i > 0 && i + 1 < text.size() && text[i + 1] != '_') continue;
    digits += text[i];
  }
  if (digits.starts_with('-') || digits.starts_with('+')) return {};
  std::uint64_t number = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  if (digits.empty() || end != digits.data() + digits.size()) return {};
  if (status == std::errc::result_out_of_range || number > (std::uint64_t{1} << 63) - !negative) {
    fail(FailureKind::limit, "an integer may have at most 64 bits");
  }
  return negative ? static_cast<std::int64_t>(0 - number) : static_cast<std::int64_t>(number);
}

std::optional<std::int64_t> truncated(double number) {
  if (std::isnan(number) || std::isinf(number)) return {};
  if (!(std::abs(number) < 0x1p63)) fail(FailureKind::limit, "an integer may have at most 64 bits");
  return static_cast<std::int64_t>(number);
}

void fail_if_undefined(const Value& value) {
  if (const auto* undefined = value.get<Undefined>()) fail(undefined->kind, *undefined->message);
}

Value to_integer(Call& call) {
  const Parameters in(call, "int", {"value", "default", "base"}, 1);
  const Value& value = in[0];
  fail_if_undefined(value);
  if (value.is_text()) {
    const std::int64_t base = in.integer(2, 10);
    if (base != 0 && (base < 2 || base > 36)) return otherwise_or_fail("int", value, in, 1);
    if (const auto integer = read_integer(value.text(), static_cast<int>(base))) return *integer;
  }
  if (const auto integer = as_int(value)) return *integer;
  if (const auto number = to_number(value)) {
    if (const auto integer = truncated(*number)) return *integer;
  }
  return otherwise_or_fail("int", value, in, 1);
}

Value to_float(Call& call) {
  const Parameters in(call, "float", {"value", "default"}, 1);
  fail_if_undefined(in[0]);
  if (const auto number = to_number(in[0])) return *number;
  return otherwise_or_fail("float", in[0], in, 1);
}

// Half to even, of the decimal digits that the number really has.
double rounded(double number, int digits) {
  if (!std::isfinite(number) || digits > 300) return number;
  if (digits < 0) {
    const double scale = std::pow(10.0, -digits);
    const double quotient = number / scale;
    return std::isfinite(quotient) ? std::nearbyint(quotient) * scale : 0.0;
  }
  const std::string text = fmt::format("{:.{}f}", number, digits);
  double result = 0;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

Value round(Call& call) {
  const Parameters in(call, "round", {"value", "precision", "method", "default"}, 1);
  const std::int64_t digits = std::clamp<std::int64_t>(in.integer(1, 0), -330, 330);
  const std::string method = in.text(2, "common");
  fail_if_undefined(in[0]);
  const auto number = to_number(in[0]);
  if (!number) return otherwise_or_fail("round", in[0], in, 3);
  double result = 0;
  const double scale = std::pow(10.0, static_cast<double>(digits));
  if (method == "ceil")
    result = std::ceil(*number * scale) / scale;
  else if (method == "floor")
    result = std::floor(*number * scale) / scale;
  else if (method == "half")
    result = std::nearbyint(*number * 2) / 2;
  else
    result = rounded(*number, static_cast<int>(digits));
  if (digits != 0) return result;
  const auto integer = truncated(result);
  if (!integer) return otherwise_or_fail("round", in[0], in, 3);
  return *integer;
}

Value absolute(Call& call) {
  const Parameters in(call, "abs", {"x"}, 1);
  if (const auto integer = as_int(in[0])) return *integer < 0 ? negative(*integer) : Value(*integer);
  if (const auto* number = in[0].get<double>()) return std::abs(*number);
  if (const auto* span = in[0].get<TimeDelta>()) return TimeDelta{std::abs(span->microseconds)};
  fail(FailureKind::type, fmt::format("bad operand type for abs(): '{}'", type_name(in[0])));
}

// A function of one real number with an optional default.
template <auto function>
Value real(Call& call) {
  const Parameters in(call, "the function", {"value", "default"}, 1);
  fail_if_undefined(in[0]);
  const auto number = to_number(in[0]);
  if (number) {
    const double result = function(*number);
    if (!std::isnan(result) || std::isnan(*number)) return result;
  }
  return otherwise_or_fail("the function", in[0], in, 1);
}

Value logarithm(Call& call) {
  const Parameters in(call, "log", {"value", "base", "default"}, 1);
  fail_if_undefined(in[0]);
  const auto number = to_number(in[0]), base = in.has(1) ? to_number(in[1]) : std::optional(std::numbers::e);
  if (number && base && *number > 0 && *base > 0 && *base != 1) {
    return in.has(1) ? std::log(*number) / std::log(*base) : std::log(*number);
  }
  return otherwise_or_fail("log", in[0], in, 2);
}

Value arc_tangent_2(Call& call) {
  // Also of a pair.
  if (!call.positional.empty() && (call.positional[0].get<List>() || call.positional[0].get<Tuple>())) {
    const Values pair = items_of(call.positional[0]);
    if (pair.size() >= 2) call.positional = {pair[0], pair[1]};
  }
  const Parameters in(call, "atan2", {"y", "x", "default"}, 2);
  const auto y = to_number(in[0]), x = to_number(in[1]);
  if (y && x) return std::atan2(*y, *x);
  return otherwise_or_fail("atan2", in[0], in, 2);
}

template <Operator op>
Value two_numbers(Call& call) {
  const Parameters in(call, "the function", {"value", "amount", "default"}, 2);
  const auto a = to_number(in[0]), b = to_number(in[1]);
  if (a && b) return calculate(op, *a, as_int(in[1]) ? in[1] : Value(*b));
  return otherwise_or_fail("the function", in[0], in, 2);
}

template <class Function>
Value bits(Call& call, std::string_view name) {
  const Parameters in(call, name, {"first_value", "second_value"}, 2);
  return Function()(in.integer(0, 0), in.integer(1, 0));
}

Value file_size(Call& call) {
  const Parameters in(call, "filesizeformat", {"value", "binary"}, 1);
  fail_if_undefined(in[0]);
  const auto bytes = to_number(in[0]);
  if (!bytes) {
    fail(in[0].is_text() ? FailureKind::value : FailureKind::type,
         fmt::format("filesizeformat() needs a number, not {}", type_name(in[0])));
  }
  const bool binary = in.flag(1, false);
  const double base = binary ? 1024 : 1000;
  constexpr std::string_view names[] = {"k", "M", "G", "T", "P", "E", "Z", "Y"};
  if (*bytes == 1) return Value("1 Byte");
  if (*bytes < base) return Value(fmt::format("{} Bytes", static_cast<std::int64_t>(*bytes)));
  double unit = base;
  for (std::size_t i = 0; i < 8; ++i) {
    unit = std::pow(base, static_cast<double>(i) + 2);
    if (*bytes < unit || i == 7) {
      const std::string_view prefix = binary && names[i] == "k" ? "K" : names[i];
      return Value(fmt::format("{:.1f} {}{}", base * *bytes / unit, prefix, binary ? "iB" : "B"));
    }
  }
  return {};
}

Value to_boolean(Call& call) {
  const Parameters in(call, "bool", {"value", "default"}, 1);
  const Value& value = in[0];
  fail_if_undefined(value);
  if (const auto* boolean = value.get<bool>()) return *boolean;
  if (const auto number = as_double(value)) return *number != 0;
  if (value.is_text()) {
    const std::string text = lower_text(trimmed(value.text()));
    if (text == "1" || text == "true" || text == "yes" || text == "on" || text == "enable") return true;
    if (text == "0" || text == "false" || text == "no" || text == "off" || text == "disable") return false;
  }
  return otherwise_or_fail("bool", value, in, 1);
}

Value is_number(Call& call) {
  const Parameters in(call, "is_number", {"value"}, 1);
  if (in[0].is_undefined()) return false;
  const auto number = to_number(in[0]);
  return number && std::isfinite(*number);
}

Value ordinal(Call& call) {
  const Parameters in(call, "ordinal", {"value"}, 1);
  const std::int64_t n = in[0].is_text() ? read_integer(in[0].text(), 10).value_or(0) : in.integer(0, 0);
  const std::int64_t last = std::abs(n % 10), teens = std::abs(n % 100);
  return Value(std::to_string(n) + (teens >= 11 && teens <= 13 ? "th"
                                    : last == 1                ? "st"
                                    : last == 2                ? "nd"
                                    : last == 3                ? "rd"
                                                               : "th"));
}

double sine(double x) {
  return std::sin(x);
}
double cosine(double x) {
  return std::cos(x);
}
double tangent(double x) {
  return std::tan(x);
}
double arc_sine(double x) {
  return std::asin(x);
}
double arc_cosine(double x) {
  return std::acos(x);
}
double arc_tangent(double x) {
  return std::atan(x);
}
double root(double x) {
  return std::sqrt(x);
}

constexpr Builtin kNumberFilters[] = {
    {"abs", absolute},
    {"acos", real<arc_cosine>},
    {"add", two_numbers<Operator::add>},
    {"asin", real<arc_sine>},
    {"atan", real<arc_tangent>},
    {"atan2", arc_tangent_2},
    {"bitwise_and", [](Call& call) { return bits<std::bit_and<>>(call, "bitwise_and"); }},
    {"bitwise_or", [](Call& call) { return bits<std::bit_or<>>(call, "bitwise_or"); }},
    {"bitwise_xor", [](Call& call) { return bits<std::bit_xor<>>(call, "bitwise_xor"); }},
    {"bool", to_boolean},
    {"cos", real<cosine>},
    {"filesizeformat", file_size},
    {"float", to_float},
    {"int", to_integer},
    {"is_number", is_number},
    {"log", logarithm},
    {"multiply", two_numbers<Operator::multiply>},
    {"ordinal", ordinal},
    {"round", round},
    {"sin", real<sine>},
    {"sqrt", real<root>},
    {"tan", real<tangent>},
};
constexpr Builtin kNumberGlobals[] = {
    {"acos", real<arc_cosine>}, {"asin", real<arc_sine>}, {"atan", real<arc_tangent>}, {"atan2", arc_tangent_2},
    {"bool", to_boolean},       {"cos", real<cosine>},    {"float", to_float},         {"int", to_integer},
    {"is_number", is_number},   {"log", logarithm},       {"sin", real<sine>},         {"sqrt", real<root>},
    {"tan", real<tangent>},
};

}  // namespace

std::optional<double> read_number(std::string_view text) {
  charge_reading(text.size());
  text = trimmed(text);
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    if (text[i] == '_' && i > 0 && i + 1 < text.size() && digit(text[i - 1]) && digit(text[i + 1])) continue;
    plain += text[i];
  }
  const bool negative = plain.starts_with('-');
  if (negative || plain.starts_with('+')) plain.erase(0, 1);
  if (plain.starts_with('-') || plain.starts_with('+') || plain.starts_with('(')) return {};
  const std::string small = lower_text(plain);
  double number = 0;
  if (small == "inf" || small == "infinity") {
    number = std::numeric_limits<double>::infinity();
  } else if (small == "nan") {
    number = std::numeric_limits<double>::quiet_NaN();
  } else {
    if (plain.empty() || !((plain[0] >= '0' && plain[0] <= '9') || plain[0] == '.')) return {};
    const auto [end, status] = std::from_chars(plain.data(), plain.data() + plain.size(), number);
    if (end != plain.data() + plain.size()) return {};
    if (status == std::errc::result_out_of_range) {
      number = plain.find("e-") != std::string::npos || plain.find("E-") != std::string::npos
                   ? 0.0
                   : std::numeric_limits<double>::infinity();
    }
  }
  return negative ? -number : number;
}

std::optional<double> to_number(const Value& value) {
  if (const auto number = as_double(value)) return number;
  if (value.is_text()) return read_number(value.text());
  return {};
}

Value otherwise_or_fail(std::string_view function, const Value& value, const Parameters& in, std::size_t index) {
  if (in.has(index)) return in[index];
  std::string shown;
  print_quoted(shown, value);
  fail(FailureKind::value, fmt::format("{} got invalid input {} but no default was specified", function, shown));
}

std::span<const Builtin> number_filters() {
  return kNumberFilters;
}

std::span<const Builtin> number_globals() {
  return kNumberGlobals;
}

}  // namespace hearth::templates
