// SPDX-License-Identifier: Apache-2.0
// Encodings: base64, hashes, bytes of numbers.
#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "template/language/builtins.h"
#include "template/values/integer.h"
#include "template/values/text.h"

namespace hearth::templates {
namespace {

std::string bytes_of(const Value& value) {
  return value.get<Bytes>() ? *value.get<Bytes>()->bytes : to_text(value);
}

Value encode_base64(Call& call) {
  const Parameters in(call, "base64_encode", {"value"}, 1);
  const std::string bytes = bytes_of(in[0]);
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(size));
  return Value(std::move(out));
}

Value decode_base64(Call& call) {
  const Parameters in(call, "base64_decode", {"value", "encoding"}, 1);
  std::string text;
  for (const char c : to_text(in[0])) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '/' || c == '=') text += c;
  }
  const std::size_t padding = text.size() - std::min(text.find_last_not_of('=') + 1, text.size());
  std::string out(text.size() / 4 * 3 + 3, '\0');
  const int size = text.size() % 4 ? -1
                                   : EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                                     reinterpret_cast<const unsigned char*>(text.data()),
                                                     static_cast<int>(text.size()));
  if (size < 0 || padding > 2) fail(FailureKind::value, "Incorrect padding");
  out.resize(static_cast<std::size_t>(size) - padding);
  if (in.has(1) && in[1].is_none()) return Value::bytes(std::move(out));
  for (std::size_t i = 0; i < out.size();) {
    const std::size_t before = i;
    const char32_t c = next_code_point(out, i);
    if (c >= 0x80 && i == before + 1) fail(FailureKind::value, "the decoded bytes are not UTF-8");
  }
  return Value(std::move(out));
}

template <const EVP_MD* (*algorithm)()>
Value hash(Call& call) {
  const Parameters in(call, "the hash", {"value"}, 1);
  const std::string bytes = bytes_of(in[0]);
  charge_size(bytes.size());
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &size, algorithm(), nullptr) != 1)
    fail(FailureKind::value, "this hash is not available");
  std::string out;
  for (unsigned i = 0; i < size; ++i) out += fmt::format("{:02x}", digest[i]);
  return Value(std::move(out));
}

Value from_hex(Call& call) {
  const Parameters in(call, "from_hex", {"value"}, 1);
  std::string digits, out;
  for (const char c : in.text(0, "")) {
    if (c == ' ') continue;
    if (!std::isxdigit(static_cast<unsigned char>(c)))
      fail(FailureKind::value, "non-hexadecimal number found in fromhex() arg");
    digits += c;
  }
  if (digits.size() % 2) fail(FailureKind::value, "non-hexadecimal number found in fromhex() arg");
  const auto value_of = [](char digit) { return digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10; };
  for (std::size_t i = 0; i < digits.size(); i += 2)
    out += static_cast<char>(value_of(digits[i]) << 4 | value_of(digits[i + 1]));
  return Value::bytes(std::move(out));
}

Value code_point(Call& call) {
  const Parameters in(call, "ord", {"value"}, 1);
  const std::u32string text = to_code_points(in.text(0, ""));
  if (text.size() != 1)
    fail(FailureKind::type, fmt::format("ord() expected a character, but string of length {} found", text.size()));
  return static_cast<std::int64_t>(text[0]);
}

// One number in one of struct's formats: an optional < > = ! @ and a letter.
struct Layout {
  bool big = false, is_signed = false, real = false;
  std::size_t size = 0;
};

std::optional<Layout> layout_of(std::string_view format) {
  Layout layout;
  if (!format.empty() && std::string_view("<>=!@").find(format[0]) != std::string_view::npos) {
    layout.big = format[0] == '>' || format[0] == '!';
    format.remove_prefix(1);
  }
  if (format.size() != 1) return {};
  constexpr std::string_view letters = "bBhHiIlLqQfd?", sizes = "1122444488481";
  const std::size_t at = letters.find(format[0]);
  if (at == std::string_view::npos) return {};
  layout.size = static_cast<std::size_t>(sizes[at] - '0');
  layout.is_signed = std::string_view("bhilq").find(format[0]) != std::string_view::npos;
  layout.real = format[0] == 'f' || format[0] == 'd';
  return layout;
}

Value pack(Call& call) {
  const Parameters in(call, "pack", {"value", "format_string"}, 2);
  const auto layout = layout_of(in.text(1, ""));
  if (!layout || !in[0].is_number()) return {};
  std::uint64_t bits = 0;
  if (layout->real) {
    const double number = *as_double(in[0]);
    bits = layout->size == 4 ? std::bit_cast<std::uint32_t>(static_cast<float>(number))
                             : std::bit_cast<std::uint64_t>(number);
  } else {
    const auto integer = as_int(in[0]);
    if (!integer) return {};
    const int width = static_cast<int>(layout->size * 8);
    const std::int64_t most = layout->is_signed ? static_cast<std::int64_t>((std::uint64_t{1} << (width - 1)) - 1)
                              : width == 64     ? INT64_MAX
                                                : static_cast<std::int64_t>((std::uint64_t{1} << width) - 1);
    if (*integer > most || *integer < (layout->is_signed ? -most - 1 : 0)) return {};
    bits = static_cast<std::uint64_t>(*integer);
  }
  std::string out;
  for (std::size_t i = 0; i < layout->size; ++i) {
    const std::size_t at = layout->big ? layout->size - 1 - i : i;
    out += static_cast<char>(bits >> (8 * at));
  }
  return Value::bytes(std::move(out));
}

Value unpack(Call& call) {
  const Parameters in(call, "unpack", {"value", "format_string", "offset"}, 2);
  const auto layout = layout_of(in.text(1, ""));
  const std::int64_t offset = in.integer(2, 0);
  const auto* const bytes = in[0].get<Bytes>();
  if (!layout || !bytes || offset < 0 || static_cast<std::size_t>(offset) + layout->size > bytes->bytes->size())
    return {};
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < layout->size; ++i) {
    const std::size_t at = layout->big ? layout->size - 1 - i : i;
    bits |= std::uint64_t{static_cast<unsigned char>((*bytes->bytes)[static_cast<std::size_t>(offset) + i])}
            << (8 * at);
  }
  if (layout->real) {
    return layout->size == 4 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                             : std::bit_cast<double>(bits);
  }
  const int unused = 64 - static_cast<int>(layout->size * 8);
  if (layout->is_signed) return static_cast<std::int64_t>(bits << unused) >> unused;
  return integer_value(bits);
}

constexpr Builtin kCodeFilters[] = {
    {"base64_decode", decode_base64},
    {"base64_encode", encode_base64},
    {"from_hex", from_hex},
    {"md5", hash<EVP_md5>},
    {"ord", code_point},
    {"pack", pack},
    {"sha1", hash<EVP_sha1>},
    {"sha256", hash<EVP_sha256>},
    {"sha512", hash<EVP_sha512>},
    {"unpack", unpack},
};

}  // namespace

std::span<const Builtin> code_filters() {
  return kCodeFilters;
}

}  // namespace hearth::templates
