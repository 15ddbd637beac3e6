// SPDX-License-Identifier: Apache-2.0
#include "recorder/log/decimal_column.h"

#include <algorithm>

namespace hearth::recorder {
namespace {

constexpr std::size_t kMaxDigits = 15;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

int decimals_of(std::string_view text) {
  const auto point = text.find('.');
  return point == std::string_view::npos ? 0 : static_cast<int>(text.size() - point - 1);
}

int whole_digits_of(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return static_cast<int>(std::min(text.find('.'), text.size()));
}

}  // namespace

bool is_decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const auto point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view part = text.substr(std::min(point + 1, text.size()));
  if (whole.empty() || whole.size() + part.size() > kMaxDigits || (whole.size() > 1 && whole.front() == '0'))
    return false;
  if (point < text.size() && part.empty()) return false;
  if (!std::ranges::all_of(whole, is_digit) || !std::ranges::all_of(part, is_digit)) return false;
  return !negative || text.find_first_not_of("0.") != std::string_view::npos;
}

std::optional<DecimalForm> common_form(const std::vector<std::string_view>& texts) {
  int scale = 0, whole = 0;
  for (const auto text : texts) {
    scale = std::max(scale, decimals_of(text));
    whole = std::max(whole, whole_digits_of(text));
  }
  if (whole + scale > DecimalForm::kMaxScale + 2) return {};
  bool fixed = true, trimmed = true, one = true;
  for (const auto text : texts) {
    const int decimals = decimals_of(text);
    const bool zero = decimals > 0 && text.back() == '0';
    fixed = fixed && decimals == scale;
    trimmed = trimmed && !zero;
    one = one && decimals > 0 && (decimals == 1 || !zero);
  }
  if (fixed) return DecimalForm{DecimalForm::Zeros::fixed, scale};
  if (trimmed) return DecimalForm{DecimalForm::Zeros::trimmed, scale};
  if (one) return DecimalForm{DecimalForm::Zeros::one, scale};
  return {};
}

std::int64_t to_units(std::string_view text, const DecimalForm& form) {
  std::int64_t units = 0;
  for (const char c : text) {
    if (is_digit(c)) units = units * 10 + (c - '0');
  }
  for (int i = decimals_of(text); i < form.scale; ++i) units *= 10;
  return text.starts_with('-') ? -units : units;
}

std::string from_units(std::int64_t units, const DecimalForm& form) {
  const bool negative = units < 0;
  std::string text =
      std::to_string(negative ? ~static_cast<std::uint64_t>(units) + 1 : static_cast<std::uint64_t>(units));
  const auto scale = static_cast<std::size_t>(form.scale);
  if (text.size() <= scale) text.insert(0, scale + 1 - text.size(), '0');
  if (scale > 0) {
    text.insert(text.size() - scale, 1, '.');
    if (form.zeros != DecimalForm::Zeros::fixed) {
      while (text.back() == '0') text.pop_back();
      if (text.back() == '.') text += form.zeros == DecimalForm::Zeros::one ? "0" : "";
      if (text.back() == '.') text.pop_back();
    }
  }
  if (negative) text.insert(0, 1, '-');
  return text;
}

}  // namespace hearth::recorder
