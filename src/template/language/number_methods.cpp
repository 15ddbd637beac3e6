// SPDX-License-Identifier: Apache-2.0
// The methods of Python's int, bool and float.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "template/language/builtins.h"
#include "template/language/methods.h"
#include "template/values/arithmetic.h"
#include "template/values/integer.h"
#include "template/values/text.h"

namespace hearth::templates {
namespace {

Integer magnitude_of(const Value& value) {
  return boost::multiprecision::abs(*as_integer(value));
}

Value same_number(Call& call) {
  const Parameters in(call, "conjugate", {""}, 1);
  return positive(in[0]);
}

Value ratio_of_integer(Call& call) {
  const Parameters in(call, "as_integer_ratio", {""}, 1);
  return Value::tuple({positive(in[0]), Value(1)});
}

Value bit_length(Call& call) {
  const Parameters in(call, "bit_length", {""}, 1);
  const Integer magnitude = magnitude_of(in[0]);
  return magnitude == 0 ? Value(0) : Value(static_cast<std::int64_t>(boost::multiprecision::msb(magnitude)) + 1);
}

Value bit_count(Call& call) {
  const Parameters in(call, "bit_count", {""}, 1);
  return static_cast<std::int64_t>(std::ranges::count(digits_of(magnitude_of(in[0]), 2), '1'));
}

bool is_big_endian(const Parameters& in, std::size_t index) {
  const std::string order = in.text(index, "big");
  if (order != "big" && order != "little") fail(FailureKind::value, "byteorder must be either 'little' or 'big'");
  return order == "big";
}

Value to_bytes(Call& call) {
  const Parameters in(call, "to_bytes", {"", "length", "byteorder", "signed"}, 1);
  const std::int64_t length = in.integer(1, 1);
  const bool big = is_big_endian(in, 2), is_signed = in.flag(3, false);
  if (length < 0) fail(FailureKind::value, "length argument must be non-negative");
  Integer number = *as_integer(in[0]);
  if (number < 0 && !is_signed) fail(FailureKind::limit, "can't convert negative int to unsigned");
  charge_text(static_cast<std::size_t>(length));
  const auto bits = static_cast<std::size_t>(length) * 8;
  const std::size_t needed =
      number == 0 ? 0 : boost::multiprecision::msb(number < 0 ? Integer(-number - 1) * 2 + 1 : number) + 1;
  if (needed > bits || (is_signed && number > 0 && needed == bits)) fail(FailureKind::limit, "int too big to convert");
  if (number < 0) number += Integer(1) << bits;
  std::string bytes;
  for (std::int64_t i = 0; i < length; ++i) {
    bytes += static_cast<char>(static_cast<unsigned char>(number & 0xff));
    number >>= 8;
  }
  if (big) std::ranges::reverse(bytes);
  return Value::bytes(std::move(bytes));
}

Value from_bytes(Call& call) {
  const Parameters in(call, "from_bytes", {"", "bytes", "byteorder", "signed"}, 2);
  const bool big = is_big_endian(in, 2);
  std::string bytes;
  if (const auto* given = in[1].get<Bytes>()) {
    bytes = *given->bytes;
  } else {
    if (in[1].is_text()) fail(FailureKind::type, "cannot convert 'str' object to bytes");
    for (const Value& item : items_of(in[1])) {
      const auto byte = as_int(item);
      if (!byte)
        fail(FailureKind::type, fmt::format("'{}' object cannot be interpreted as an integer", type_name(item)));
      if (*byte < 0 || *byte > 255) fail(FailureKind::value, "bytes must be in range(0, 256)");
      bytes += static_cast<char>(*byte);
    }
  }
  if (bytes.size() * 8 > kMostBits)
    fail(FailureKind::limit, fmt::format("an integer may have at most {} bits", kMostBits));
  if (!big) std::ranges::reverse(bytes);
  Integer number = 0;
  for (const char byte : bytes) number = number * 256 + static_cast<unsigned char>(byte);
  if (in.flag(3, false) && !bytes.empty() && (bytes[0] & 0x80)) number -= Integer(1) << (bytes.size() * 8);
  return integer_value(std::move(number));
}

double real_of(const Parameters& in) {
  return *in[0].get<double>();
}

Value ratio_of_real(Call& call) {
  const Parameters in(call, "as_integer_ratio", {""}, 1);
  const double number = real_of(in);
  if (std::isnan(number)) fail(FailureKind::value, "cannot convert NaN to integer ratio");
  if (std::isinf(number)) fail(FailureKind::limit, "cannot convert Infinity to integer ratio");
  int exponent = 0;
  Integer above(std::frexp(number, &exponent) * 0x1p53), below = 1;
  exponent -= 53;
  if (above == 0) return Value::tuple({Value(0), Value(1)});
  const auto zeros = std::min<int>(static_cast<int>(boost::multiprecision::lsb(boost::multiprecision::abs(above))),
                                   exponent < 0 ? -exponent : 0);
  above >>= zeros;
  exponent += zeros;
  if (exponent < 0)
    below <<= -exponent;
  else
    above <<= exponent;
  return Value::tuple({integer_value(above), integer_value(below)});
}

Value hex_of_real(Call& call) {
  const Parameters in(call, "hex", {""}, 1);
  const double number = real_of(in);
  if (!std::isfinite(number)) return Value(number_text(number));
  std::string text = fmt::format("{:.13a}", number);
  if (number == 0) text = std::signbit(number) ? "-0x0.0p+0" : "0x0.0p+0";
  return Value(std::move(text));
}

// A number as hex() writes it; without an exponent as well, and with spaces around.
Value real_from_hex(Call& call) {
  const Parameters in(call, "fromhex", {"", ""}, 2);
  std::string text = lower_text(trimmed(in.text(1, "")));
  const auto refuse = [] { fail(FailureKind::value, "invalid hexadecimal floating-point string"); };
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.erase(0, 1);
  if (text == "inf" || text == "infinity" || text == "nan") return *read_number((negative ? "-" : "") + text);
  if (text.starts_with("0x")) text.erase(0, 2);
  const std::size_t digits = std::min(text.find('p'), text.size());
  const auto is_digit_here = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) || c == '.'; };
  if (digits == 0 || !std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(digits), is_digit_here) ||
      std::count(text.begin(), text.end(), '.') > 1 || text.substr(0, digits) == ".")
    refuse();
  double number = 0;
  std::string plain = text;
  if (const std::size_t sign = plain.find("p+"); sign != std::string::npos) plain.erase(sign + 1, 1);
  const auto [end, status] = std::from_chars(plain.data(), plain.data() + plain.size(), number, std::chars_format::hex);
  if (end != plain.data() + plain.size()) refuse();
  if (status == std::errc::result_out_of_range && std::isinf(number))
    fail(FailureKind::limit, "hexadecimal value too large to represent as a float");
  return negative ? -number : number;
}

Value is_whole(Call& call) {
  const Parameters in(call, "is_integer", {""}, 1);
  const auto* const number = in[0].get<double>();
  return !number || (std::isfinite(*number) && *number == std::floor(*number));
}

constexpr Method kIntegerMethods[] = {
    {"as_integer_ratio", ratio_of_integer},
    {"bit_count", bit_count},
    {"bit_length", bit_length},
    {"conjugate", same_number},
    {"from_bytes", from_bytes},
    {"is_integer", is_whole},
    {"to_bytes", to_bytes},
};
constexpr Method kRealMethods[] = {
    {"as_integer_ratio", ratio_of_real},
    {"conjugate", same_number},
    {"fromhex", real_from_hex},
    {"hex", hex_of_real},
    {"is_integer", is_whole},
};

}  // namespace

const Method* find_number_method(const Value& value, std::string_view name) {
  return value.get<double>() ? find_in(kRealMethods, name) : find_in(kIntegerMethods, name);
}

}  // namespace hearth::templates
