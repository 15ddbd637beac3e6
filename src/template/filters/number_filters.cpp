// SPDX-License-Identifier: Apache-2.0
// Filters and functions of numbers.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "base/text/truth.h"
#include "template/language/builtins.h"
#include "template/values/arithmetic.h"
#include "template/values/integer.h"
#include "template/values/text.h"
#include "template/values/unicode.h"

namespace hearth::templates {
namespace {

void fail_if_undefined(const Value& value) {
  if (const auto* undefined = value.get<Undefined>()) fail(undefined->kind, *undefined->message);
}

Value to_integer(Call& call) {
  const Parameters in(call, "int", {"value", "default", "base"}, 1);
  const Value& value = in[0];
  fail_if_undefined(value);
  if (value.is_text()) {
    const std::int64_t base = in.has(2) ? as_int(in[2]).value_or(-1) : 10;
    if (base == 0 || (base >= 2 && base <= 36)) {
      if (auto integer = read_integer(value.text(), static_cast<int>(base))) return std::move(*integer);
    }
  }
  if (value.is_integer()) return value;
  if (const auto* boolean = value.get<bool>()) return std::int64_t{*boolean};
  if (const auto number = to_number(value)) {
    if (auto integer = truncated(*number)) return std::move(*integer);
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
  const auto given = in.has(1) ? as_int(in[1]) : 0;
  const std::int64_t digits = std::clamp<std::int64_t>(given.value_or(0), -330, 330);
  const std::string_view method = in.has(2) && in[2].is_text() ? in[2].text() : "common";
  fail_if_undefined(in[0]);
  const auto number = to_number(in[0]);
  if (!number || !given) return otherwise_or_fail("round", in[0], in, 3);
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
  const Parameters in(call, "abs", {""}, 1);
  if (in[0].is_integer()) return compare(in[0], Value(0), "<") == -1 ? negative(in[0]) : in[0];
  if (const auto* boolean = in[0].get<bool>()) return std::int64_t{*boolean};
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
  if (number && base && *number > 0 && *base > 0) {
    if (*base == 1) fail(FailureKind::zero_division, "log: 1 is no base of a logarithm");
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
  const Parameters in(call, "the filter", {"value", "amount", "default"}, 2);
  fail_if_undefined(in[0]);
  fail_if_undefined(in[1]);
  const auto number = to_number(in[0]);
  if (number && in[1].is_number()) return calculate(op, *number, in[1]);
  return otherwise_or_fail("the filter", in[0], in, 2);
}

template <class Function>
Value bits(Call& call, std::string_view name) {
  const Parameters in(call, name, {"first_value", "second_value"}, 2);
  if (const auto *a = in[0].get<bool>(), *b = in[1].get<bool>(); a && b) return Function()(*a, *b) != 0;
  const auto a = as_integer(in[0]), b = as_integer(in[1]);
  if (a && b) return integer_value(Integer(Function()(*a, *b)));
  fail_if_undefined(in[0]);
  fail_if_undefined(in[1]);
  fail(FailureKind::type,
       fmt::format("unsupported operand type(s) for {}: '{}' and '{}'", name, type_name(in[0]), type_name(in[1])));
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
    if (const auto boolean = base::parse_boolean(trimmed(value.text()))) return *boolean;
  }
  return otherwise_or_fail("bool", value, in, 1);
}

Value is_number(Call& call) {
  const Parameters in(call, "is_number", {"value"}, 1);
  fail_if_undefined(in[0]);
  const auto number = to_number(in[0]);
  return number && std::isfinite(*number);
}

// Of the last digits of what it prints.
Value ordinal(Call& call) {
  const Parameters in(call, "ordinal", {"value"}, 1);
  std::string text = to_text(in[0]);
  const auto digits = [&](std::size_t count) {
    const std::string_view end = std::string_view(text).substr(text.size() - std::min(count, text.size()));
    const auto number = read_integer(end, 10);
    if (!number) fail(FailureKind::value, fmt::format("ordinal got no whole number: '{}'", text));
    return std::abs(*as_int(*number));
  };
  const std::int64_t teens = digits(2);
  const std::int64_t last = teens >= 11 && teens <= 13 ? 0 : digits(1);
  constexpr std::string_view endings[] = {"th", "st", "nd", "rd"};
  return Value(text.append(endings[last <= 3 ? last : 0]));
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

// Digits of other scripts count, too.
std::string with_ascii_digits(std::string_view text) {
  std::string out(text);
  if (std::ranges::all_of(text, [](unsigned char c) { return c < 0x80; })) return out;
  out.clear();
  for (const char32_t c : to_code_points(text))
    append_code_point(out, decimal_value(c) ? U'0' + static_cast<char32_t>(*decimal_value(c)) : c);
  return out;
}

}  // namespace

std::optional<double> read_number(std::string_view text) {
  charge_reading(text.size());
  const std::string ascii = with_ascii_digits(trimmed(text));
  std::string plain;
  for (std::size_t i = 0; i < ascii.size(); ++i) {
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    if (ascii[i] == '_' && i > 0 && i + 1 < ascii.size() && digit(ascii[i - 1]) && digit(ascii[i + 1])) continue;
    plain += ascii[i];
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
