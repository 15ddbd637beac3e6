// SPDX-License-Identifier: Apache-2.0
// How values print: as Python's str() and repr() write them.
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "template/values/integer.h"
#include "template/values/text.h"
#include "template/values/unicode.h"
#include "template/values/value.h"

namespace hearth::templates {
namespace {

void quote(std::string& out, std::string_view text) {
  const bool single = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos;
  const char mark = single ? '"' : '\'';
  out += mark;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t start = i;
    const char32_t c = next_code_point(text, i);
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == U'\\' || c == static_cast<char32_t>(mark)) {
      out += '\\';
      out += static_cast<char>(c);
    } else if (is_printable(c)) {
      out += text.substr(start, i - start);
    } else {
      const auto code = static_cast<std::uint32_t>(c);
      out += c < 0x100     ? fmt::format("\\x{:02x}", code)
             : c < 0x10000 ? fmt::format("\\u{:04x}", code)
                           : fmt::format("\\U{:08x}", code);
    }
  }
  out += mark;
}

void quote_bytes(std::string& out, std::string_view bytes) {
  out += "b'";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\' || c == '\'')
      out += '\\', out += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\t')
      out += "\\t";
    else if (byte >= 0x20 && byte < 0x7f)
      out += c;
    else
      out += fmt::format("\\x{:02x}", byte);
  }
  out += '\'';
}

struct Printer {
  std::string& out;
  bool quoted;

  void operator()(const Undefined&) const {
    if (quoted) out += "Undefined";
  }
  void operator()(const None&) const { out += "None"; }
  void operator()(bool boolean) const { out += boolean ? "True" : "False"; }
  void operator()(std::int64_t integer) const { fmt::format_to(std::back_inserter(out), "{}", integer); }
  void operator()(const BigInteger& integer) const {
    const Integer& number = integer.number->value;
    if (number < 0) out += '-';
    out += digits_of(boost::multiprecision::abs(number), 10);
  }
  void operator()(double number) const { out += number_text(number); }
  void operator()(const Text& text) const {
    if (quoted)
      quote(out, *text.text);
    else
      out += *text.text;
  }
  void operator()(const Bytes& bytes) const { quote_bytes(out, *bytes.bytes); }
  void operator()(const List& list) const { row(*list.items, '[', ']'); }
  void operator()(const Tuple& tuple) const {
    if (tuple.names && tuple.names->are_printed) return named_row(tuple);
    row(*tuple.items, '(', ')');
    if (tuple.items->size() == 1) out.insert(out.size() - 1, 1, ',');
  }
  void operator()(const Generator&) const { out += "<generator object>"; }
  void operator()(const Range& range) const {
    out += fmt::format("range({}, {}", range.start, range.stop);
    out += range.step == 1 ? ")" : fmt::format(", {})", range.step);
  }
  void operator()(const DictPtr& dict) const {
    out += '{';
    bool first = true;
    for (const auto& [key, value] : dict->entries()) {
      if (!std::exchange(first, false)) out += ", ";
      print_quoted(out, key);
      out += ": ";
      print_quoted(out, value);
    }
    out += '}';
  }
  void operator()(const JsonNode& json) const { print(out, unfolded(json)); }
  void operator()(const DateTime& time) const { out += quoted ? templates::quoted(time) : to_text(time); }
  void operator()(const Date& day) const { out += quoted ? templates::quoted(day) : to_text(day); }
  void operator()(const TimeOfDay& time) const { out += quoted ? templates::quoted(time) : to_text(time); }
  void operator()(const TimeDelta& span) const { out += quoted ? templates::quoted(span) : to_text(span); }
  void operator()(const ObjectPtr& object) const { out += quoted ? object->quoted_text() : object->to_text(); }

  void named_row(const Tuple& tuple) const {
    (out += tuple.names->type) += '(';
    for (std::size_t i = 0; i < tuple.items->size(); ++i) {
      out += fmt::format("{}{}=", i ? ", " : "", tuple.names->items[i]);
      print_quoted(out, (*tuple.items)[i]);
    }
    out += ')';
  }

  void row(const Values& items, char open, char close) const {
    out += open;
    bool first = true;
    for (const Value& item : items) {
      if (!std::exchange(first, false)) out += ", ";
      print_quoted(out, item);
    }
    out += close;
  }
};

}  // namespace

// The shortest text that reads back the same, with an exponent below 1e-4 and from 1e16 on.
std::string number_text(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  char digits[40];
  const auto scientific = std::to_chars(digits, digits + sizeof digits, number, std::chars_format::scientific);
  const std::string_view text(digits, static_cast<std::size_t>(scientific.ptr - digits));
  const std::size_t mark = text.find('e') + 1;
  int exponent = 0;
  std::from_chars(text.data() + mark + (text[mark] == '+'), text.data() + text.size(), exponent);
  if (exponent < -4 || exponent >= 16) return std::string(text);
  char plain[64];
  const auto end = std::to_chars(plain, plain + sizeof plain, number, std::chars_format::fixed);
  std::string out(plain, end.ptr);
  if (out.find('.') == std::string::npos) out += ".0";
  return out;
}

void print(std::string& out, const Value& value) {
  const Deeper deeper;
  const std::size_t before = out.size();
  std::visit(Printer{out, false}, value.data());
  charge_size(out.size() - before);
}

void print_quoted(std::string& out, const Value& value) {
  const Deeper deeper;
  const std::size_t before = out.size();
  std::visit(Printer{out, true}, value.data());
  charge_text(out.size() - before);
}

std::string to_text(const Value& value) {
  if (value.is_text()) return std::string(value.text());
  std::string out;
  print(out, value);
  return out;
}

}  // namespace hearth::templates
