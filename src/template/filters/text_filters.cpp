// SPDX-License-Identifier: Apache-2.0
// Filters of texts, as Jinja2 has them.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/html.h"
#include "core/values/entity_id.h"
#include "template/language/builtins.h"
#include "template/language/methods.h"
#include "template/values/spelling.h"
#include "template/values/text.h"
#include "template/values/text_format.h"
#include "template/values/unicode.h"

namespace hearth::templates {
namespace {

Value escape(Call& call) {
  const Parameters in(call, "escape", {"s"}, 1);
  return Value(base::html_escaped(to_text(in[0])));
}

// A str method, applied to whatever the value prints.
template <const char* name>
Value by_method(Call& call) {
  call.positional[0] = Value(to_text(call.positional[0]));
  return find_text_method(name)->function(call);
}
constexpr char kCapitalize[] = "capitalize", kLower[] = "lower", kUpper[] = "upper";

Value title(Call& call) {
  const Parameters in(call, "title", {"s"}, 1);
  const std::u32string text = to_code_points(to_text(in[0]));
  std::u32string out, word;
  const auto finish = [&] {
    if (!word.empty()) out += upper_cased(word.substr(0, 1)) + lower_cased(word.substr(1));
    word.clear();
  };
  for (const char32_t c : text) {
    if (is_space(c) || c == '-' || c == '(' || c == '{' || c == '[' || c == '<') {
      finish();
      out += c;
    } else {
      word += c;
    }
  }
  finish();
  return Value(to_utf8(out));
}

Value trim(Call& call) {
  const Parameters in(call, "trim", {"value", "chars"}, 1);
  Call inner{call.render, {Value(to_text(in[0]))}};
  if (in.has(1) && !in[1].is_none()) inner.positional.push_back(in[1]);
  return find_text_method("strip")->function(inner);
}

Value replace(Call& call) {
  const Parameters in(call, "replace", {"s", "old", "new", "count"}, 3);
  Call inner{call.render, {Value(to_text(in[0])), Value(to_text(in[1])), Value(to_text(in[2]))}};
  if (in.has(3) && !in[3].is_none()) inner.positional.push_back(in[3]);
  return find_text_method("replace")->function(inner);
}

Value center(Call& call) {
  const Parameters in(call, "center", {"value", "width"}, 1);
  Call inner{call.render, {Value(to_text(in[0])), in.has(1) ? in[1] : Value(80)}};
  return find_text_method("center")->function(inner);
}

Value truncate(Call& call) {
  const Parameters in(call, "truncate", {"s", "length", "killwords", "end", "leeway"}, 1);
  if (in[0].is_undefined()) return in[0];
  // A short list or dict stays as it is.
  const auto items = in[0].is_text() ? std::nullopt : length_of(in[0]);
  if (items && *items <= in.integer(1, 255) + (in.has(4) && !in[4].is_none() ? in.integer(4, 5) : 5)) return in[0];
  const std::u32string text = to_code_points(in.text(0, "")), end = to_code_points(in.text(3, "..."));
  const std::int64_t length = in.integer(1, 255), leeway = in.has(4) && !in[4].is_none() ? in.integer(4, 5) : 5;
  if (length < static_cast<std::int64_t>(end.size())) {
    fail(FailureKind::value, fmt::format("expected length >= {}, got {}", end.size(), length));
  }
  if (leeway < 0) fail(FailureKind::value, fmt::format("expected leeway >= 0, got {}", leeway));
  if (static_cast<std::int64_t>(text.size()) <= length + leeway) return in[0];
  std::u32string kept = text.substr(0, static_cast<std::size_t>(length) - end.size());
  if (!in.flag(2, false)) {
    const std::size_t space = kept.rfind(U' ');
    if (space != std::u32string::npos) kept.resize(space);
  }
  return Value(to_utf8(kept + end));
}

Value indent(Call& call) {
  const Parameters in(call, "indent", {"s", "width", "first", "blank"}, 1);
  std::string by = "    ";
  if (in.has(1)) {
    if (in[1].is_text()) {
      by = in[1].text();
    } else {
      const std::int64_t width = std::max<std::int64_t>(in.integer(1, 4), 0);
      charge_text(static_cast<std::size_t>(width));
      by.assign(static_cast<std::size_t>(width), ' ');
    }
  }
  const std::string text = in.text(0, "") + "\n";
  std::string out;
  bool first = true;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = text.find('\n', i);
    const std::string_view line = std::string_view(text).substr(i, end - i);
    if (!first) out += '\n';
    if (first ? in.flag(2, false) : in.flag(3, false) || !line.empty()) out += by;
    out += line;
    first = false;
    i = end + 1;
    charge_piece(by.size() + line.size(), out.size());
  }
  return Value(std::move(out));
}

Value word_count(Call& call) {
  const Parameters in(call, "wordcount", {"s"}, 1);
  std::int64_t count = 0;
  bool inside = false;
  for (const char32_t c : to_code_points(to_text(in[0]))) {
    const bool word = is_alphabetic(c) || is_numeric(c) || c == '_';
    count += word && !inside;
    inside = word;
  }
  return count;
}

// Words and the white space between them, each a chunk; a hyphen between letters ends one.
std::vector<std::u32string_view> chunks_of(std::u32string_view line, bool at_hyphens) {
  std::vector<std::u32string_view> chunks;
  std::size_t begin = 0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const bool hyphen =
        at_hyphens && i >= 2 && line[i - 1] == '-' && is_alphabetic(line[i]) && is_alphabetic(line[i - 2]);
    if (is_space(line[i]) == is_space(line[i - 1]) && !hyphen) continue;
    chunks.push_back(line.substr(begin, i - begin));
    begin = i;
  }
  if (begin < line.size()) chunks.push_back(line.substr(begin));
  return chunks;
}

// As Python's textwrap: white space goes at the ends of lines, except at the beginning of the first.
std::vector<std::u32string> wrapped(std::u32string_view line, std::size_t width, bool breaks, bool at_hyphens) {
  std::vector<std::u32string> lines;
  std::vector<std::u32string_view> chunks = chunks_of(line, at_hyphens);
  const auto is_blank = [](std::u32string_view chunk) { return is_space(chunk[0]); };
  std::size_t next = 0;
  while (next < chunks.size()) {
    charge();
    std::u32string row;
    std::size_t before_space = 0;
    if (!lines.empty() && is_blank(chunks[next])) ++next;
    while (next < chunks.size() && row.size() + chunks[next].size() <= width) {
      before_space = is_blank(chunks[next]) ? row.size() : row.size() + chunks[next].size();
      row += chunks[next++];
    }
    if (next < chunks.size() && chunks[next].size() > width && (breaks || row.empty())) {
      const std::size_t room = breaks ? width - row.size() : chunks[next].size();
      row += chunks[next].substr(0, room);
      before_space = row.size();
      chunks[next].remove_prefix(room);
      if (chunks[next].empty()) ++next;
    }
    row.resize(before_space);
    if (!row.empty()) lines.push_back(std::move(row));
  }
  return lines;
}

Value word_wrap(Call& call) {
  const Parameters in(call, "wordwrap", {"s", "width", "break_long_words", "wrapstring", "break_on_hyphens"}, 1);
  const auto width = static_cast<std::size_t>(std::clamp<std::int64_t>(in.integer(1, 79), 1, 1'000'000));
  const std::string separator = in.has(3) && !in[3].is_none() ? in.text(3, "\n") : "\n";
  std::string out;
  bool first = true;
  Call lines{call.render, {Value(in.text(0, ""))}};
  for (const Value& line : items_of(find_text_method("splitlines")->function(lines))) {
    if (!std::exchange(first, false)) out += separator;
    bool first_row = true;
    const std::u32string points = to_code_points(line.text());
    for (const std::u32string& row : wrapped(points, width, in.flag(2, true), in.flag(4, true))) {
      const std::size_t before = out.size();
      if (!std::exchange(first_row, false)) out += separator;
      out += to_utf8(row);
      charge_piece(out.size() - before, out.size());
    }
    charge_piece(separator.size(), out.size());
  }
  return Value(std::move(out));
}

Value strip_tags(Call& call) {
  const Parameters in(call, "striptags", {"value"}, 1);
  std::string text = to_text(in[0]), out;
  const std::size_t last_comment = find_last_part(text, "-->");
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t open = text.find('<', i);
    const std::size_t close = open == std::string::npos ? open : text.find('>', open);
    if (close == std::string::npos) {
      out += text.substr(i);
      break;
    }
    out += text.substr(i, open - i);
    const bool comment = std::string_view(text).substr(open).starts_with("<!--") && last_comment != std::string::npos &&
                         last_comment >= open;
    i = comment ? text.find("-->", open) + 3 : close + 1;
  }
  Call words{call.render, {Value(out)}};
  Call joined{call.render, {Value(" "), find_text_method("split")->function(words)}};
  out = to_text(find_text_method("join")->function(joined));
  constexpr std::pair<std::string_view, std::string_view> entities[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#34;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}};
  for (const auto& [entity, c] : entities) out = replaced_parts(out, entity, c);
  return Value(std::move(out));
}

void append_encoded(std::string& out, std::string_view text, std::string_view safe) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  charge_piece(text.size(), out.size() + text.size());
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       std::string_view("_.-~").find(c) != std::string_view::npos;
    if (plain || safe.find(c) != std::string_view::npos)
      out += c;
    else if (c == ' ' && safe.empty())
      out += '+';
    else
      out.append({'%', digits[static_cast<unsigned char>(c) >> 4], digits[static_cast<unsigned char>(c) & 15]});
  }
}

Value url_encode(Call& call) {
  const Parameters in(call, "urlencode", {"value"}, 1);
  const Value value = unfolded(in[0]);
  std::string out;
  if (value.is_text() || (!value.is_mapping() && !value.get<List>() && !value.get<Tuple>() && !value.get<Generator>() &&
                          !value.get<Range>() && !value.is_undefined())) {
    append_encoded(out, to_text(value), "/");
    return Value(std::move(out));
  }
  Values pairs;
  if (value.is_mapping()) {
    for (const auto& [key, item] : (*value.get<DictPtr>())->entries()) pairs.push_back(Value::tuple({key, item}));
  } else {
    pairs = items_of(value);
  }
  for (const Value& pair : pairs) {
    const Values both = items_of(pair);
    if (both.size() != 2) fail(FailureKind::value, "urlencode needs pairs");
    if (!out.empty()) out += '&';
    append_encoded(out, to_text(both[0]), "");
    out += '=';
    append_encoded(out, to_text(both[1]), "");
  }
  return Value(std::move(out));
}

Value xml_attributes(Call& call) {
  const Parameters in(call, "xmlattr", {"d", "autospace"}, 1);
  const Value value = unfolded(in[0]);
  if (!value.is_mapping()) fail(FailureKind::type, "xmlattr needs a mapping");
  std::string out;
  for (const auto& [key, item] : (*value.get<DictPtr>())->entries()) {
    if (item.is_none() || item.is_undefined()) continue;
    const std::string name = to_text(key);
    if (name.find_first_of(" \t\n\r\f/>=") != std::string::npos)
      fail(FailureKind::value, fmt::format("Invalid character in attribute name: '{}'", name));
    const std::size_t before = out.size();
    if (!out.empty()) out += ' ';
    out += base::html_escaped(name) + "=\"" + base::html_escaped(to_text(item)) + '"';
    charge_piece(out.size() - before, out.size());
  }
  return Value(!out.empty() && in.flag(1, true) ? ' ' + out : out);
}

Value format(Call& call) {
  Value values =
      call.named.empty() ? Value::tuple(Values(call.positional.begin() + 1, call.positional.end())) : Value();
  if (!call.named.empty()) {
    if (call.positional.size() > 1)
      fail(FailureKind::type, "can't handle positional and keyword arguments at the same time");
    Dict dict;
    for (const auto& [name, value] : call.named) dict.set(Value(name), value);
    values = Value::dict(std::move(dict));
  }
  return Value(format_percent(to_text(call.positional[0]), values));
}

Value string(Call& call) {
  const Parameters in(call, "string", {"s"}, 1);
  return Value(to_text(in[0]));
}

Value same(Call& call) {
  const Parameters in(call, "safe", {"value"}, 1);
  return Value(to_text(in[0]));
}

Value otherwise(Call& call) {
  const Parameters in(call, "default", {"value", "default_value", "boolean"}, 1);
  if (in[0].is_undefined() || (in.flag(2, false) && !truth(in[0]))) return in.has(1) ? in[1] : Value("");
  return in[0];
}

Value defined_only(Call& call) {
  const Parameters in(call, "is_defined", {"value"}, 1);
  const auto* const undefined = in[0].get<Undefined>();
  if (undefined) throw Failure{.kind = undefined->kind, .message = *undefined->message, .expected = true};
  return in[0];
}

Value attribute(Call& call) {
  const Parameters in(call, "attr", {"obj", "name"}, 2);
  const std::string name = in.text(1, "");
  if (const auto* undefined = in[0].get<Undefined>()) fail(undefined->kind, *undefined->message);
  // An attribute only, never a key.
  const bool key_only = in[0].is_mapping() && !find_method(in[0], name);
  if (key_only) return Value::undefined(fmt::format("'{}' object has no attribute '{}'", type_name(in[0]), name));
  return attribute_of(in[0], name);
}

Value slug(Call& call) {
  const Parameters in(call, "slugify", {"value", "separator"}, 1);
  const std::string separator = in.text(1, "_"), text = to_text(in[0]);
  if (text.empty()) return Value("");
  charge(text.size());  // many times the work of copying it
  std::string out = core::slugify(spelled_out(text));
  if (out.empty()) out = "unknown";
  if (separator == "_") return Value(std::move(out));
  std::string replaced;
  for (const char c : out) {
    if (c == '_') {
      charge_piece(separator.size(), replaced.size() + separator.size());
      replaced += separator;
    } else {
      replaced += c;
    }
  }
  return Value(std::move(replaced));
}

constexpr Builtin kTextFilters[] = {
    {"attr", attribute},
    {"capitalize", by_method<kCapitalize>},
    {"center", center},
    {"d", otherwise},
    {"default", otherwise},
    {"e", escape},
    {"escape", escape},
    {"forceescape", escape},
    {"format", format},
    {"indent", indent},
    {"is_defined", defined_only},
    {"lower", by_method<kLower>},
    {"pprint", pretty_printed},
    {"replace", replace},
    {"safe", same},
    {"slugify", slug},
    {"string", string},
    {"striptags", strip_tags},
    {"title", title},
    {"trim", trim},
    {"truncate", truncate},
    {"upper", by_method<kUpper>},
    {"urlencode", url_encode},
    {"wordcount", word_count},
    {"wordwrap", word_wrap},
    {"xmlattr", xml_attributes},
};

}  // namespace

std::span<const Builtin> text_filters() {
  return kTextFilters;
}

}  // namespace hearth::templates
