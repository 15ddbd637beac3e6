// SPDX-License-Identifier: Apache-2.0
// str.encode, str.maketrans, str.translate, str.isidentifier and str.format_map.
#include <fmt/format.h>

#include "template/language/methods.h"
#include "template/values/text.h"
#include "template/values/text_format.h"
#include "template/values/unicode.h"

namespace hearth::templates {
namespace {

Value code_of(char32_t c) {
  return static_cast<std::int64_t>(c);
}

// From a dict of characters or codes, or from two texts of one length and a text of what goes.
Value make_translation(Call& call) {
  const Parameters in(call, "maketrans", {"", "", "", ""}, 2);
  Dict table;
  if (!in.has(2)) {
    const Value whole = unfolded(in[1]);
    if (!whole.is_mapping()) fail(FailureKind::type, "if you give only one argument to maketrans it must be a dict");
    for (const auto& [key, value] : (*whole.get<DictPtr>())->entries()) {
      if (key.is_text()) {
        const std::u32string text = to_code_points(key.text());
        if (text.size() != 1) fail(FailureKind::value, "string keys in translate table must be of length 1");
        table.set(code_of(text[0]), value);
      } else if (as_int(key)) {
        table.set(key, value);
      } else {
        fail(FailureKind::type, "keys in translate table must be strings or integers");
      }
    }
    return Value::dict(std::move(table));
  }
  const std::u32string from = to_code_points(in.text(1, "")), to = to_code_points(in.text(2, ""));
  if (from.size() != to.size()) fail(FailureKind::value, "the first two maketrans arguments must have equal length");
  for (std::size_t i = 0; i < from.size(); ++i) table.set(code_of(from[i]), code_of(to[i]));
  for (const char32_t c : to_code_points(in.text(3, ""))) table.set(code_of(c), Value());
  return Value::dict(std::move(table));
}

Value translate(Call& call) {
  const Parameters in(call, "translate", {"", ""}, 2);
  const Value table = unfolded(in[1]);
  if (const auto* undefined = table.get<Undefined>()) fail(undefined->kind, *undefined->message);
  const bool has_items = table.is_mapping() || table.is_text() || table.get<List>() || table.get<Tuple>() ||
                         table.get<Range>() || table.get<Bytes>();
  if (!has_items) fail(FailureKind::type, fmt::format("'{}' object is not subscriptable", type_name(table)));
  std::string out;
  for (const char32_t c : to_code_points(in[0].text())) {
    const Value found = item_of(table, code_of(c));
    if (found.is_undefined()) {
      append_code_point(out, c);
    } else if (found.is_text()) {
      out += found.text();
    } else if (const auto code = as_int(found)) {
      if (*code < 0 || *code > 0x10ffff) fail(FailureKind::value, "character mapping must be in range(0x110000)");
      append_code_point(out, static_cast<char32_t>(*code));
    } else if (!found.is_none()) {
      fail(FailureKind::type, "character mapping must return integer, None or str");
    }
    charge_text(out.size());
  }
  return Value(std::move(out));
}

Value is_identifier(Call& call) {
  const Parameters in(call, "isidentifier", {""}, 1);
  const std::u32string text = to_code_points(in[0].text());
  if (text.empty() || !starts_identifier(text[0])) return false;
  for (const char32_t c : text) {
    if (!continues_identifier(c)) return false;
  }
  return true;
}

Value format_by_mapping(Call& call) {
  const Parameters in(call, "format_map", {"", ""}, 2);
  const Value whole = unfolded(in[1]);
  Call format{call.render, {in[0]}};
  if (!whole.is_mapping()) {
    if (in[0].text().find('{') == std::string_view::npos) return Value(format_braces(format));
    if (const auto* undefined = whole.get<Undefined>()) fail(undefined->kind, *undefined->message);
    fail(FailureKind::type, fmt::format("'{}' object is not a mapping", type_name(in[1])));
  }
  for (const auto& [key, value] : (*whole.get<DictPtr>())->entries()) {
    if (key.is_text()) format.named.emplace_back(key.text(), value);
  }
  return Value(format_braces(format));
}

Value encode(Call& call) {
  const Parameters in(call, "encode", {"", "encoding", "errors"}, 1);
  const std::string encoding = lower_text(in.text(1, "utf-8")), errors = in.text(2, "strict");
  if (encoding == "utf-8" || encoding == "utf8") return Value::bytes(std::string(in[0].text()));
  const char32_t most = encoding == "ascii"                                                         ? 0x7f
                        : encoding == "latin-1" || encoding == "latin1" || encoding == "iso-8859-1" ? 0xff
                                                                                                    : 0;
  if (!most) fail(FailureKind::value, fmt::format("unknown encoding: {}", encoding));
  std::string bytes;
  for (const char32_t c : to_code_points(in[0].text())) {
    if (c <= most)
      bytes += static_cast<char>(c);
    else if (errors == "replace")
      bytes += '?';
    else if (errors != "ignore")
      fail(FailureKind::value, fmt::format("'{}' cannot encode a character of the text", encoding));
  }
  return Value::bytes(std::move(bytes));
}

constexpr Method kMoreTextMethods[] = {
    {"encode", encode},
    {"format_map", format_by_mapping},
    {"isidentifier", is_identifier},
    {"maketrans", make_translation},
    {"translate", translate},
};

}  // namespace

std::span<const Method> more_text_methods() {
  return kMoreTextMethods;
}

}  // namespace hearth::templates
