// SPDX-License-Identifier: Apache-2.0
// The methods of Python's str.
#include <fmt/format.h>

#include <algorithm>

#include "template/language/methods.h"
#include "template/values/text.h"
#include "template/values/text_format.h"
#include "template/values/unicode.h"

namespace hearth::templates {
namespace {

std::string self_of(Call& call) {
  return std::string(call.positional[0].text());
}

template <std::u32string (*convert)(std::u32string_view)>
Value converted(Call& call) {
  const Parameters in(call, "the method", {""}, 1);
  return Value(to_utf8(convert(to_code_points(in[0].text()))));
}

Value in_lower_case(Call& call) {
  const Parameters in(call, "lower", {""}, 1);
  return Value(lower_text(in[0].text()));
}

template <auto test, bool of_empty = false>
Value all_are(Call& call) {
  const Parameters in(call, "the method", {""}, 1);
  const std::u32string text = to_code_points(in[0].text());
  return !text.empty() ? std::all_of(text.begin(), text.end(), test) : of_empty;
}
bool is_alphanumeric(char32_t c) {
  return is_alphabetic(c) || is_numeric(c);
}
bool is_ascii(char32_t c) {
  return c < 0x80;
}

// All cased characters are so, and there is one.
template <bool upper_case>
Value case_is(Call& call) {
  const Parameters in(call, "the method", {""}, 1);
  bool any = false;
  for (const char32_t c : to_code_points(in[0].text())) {
    if (is_title_case(c) || (upper_case ? is_lower_case(c) : is_upper_case(c))) return false;
    any = any || (upper_case ? is_upper_case(c) : is_lower_case(c));
  }
  return any;
}

Value is_title(Call& call) {
  const Parameters in(call, "istitle", {""}, 1);
  bool any = false, inside = false;
  for (const char32_t c : to_code_points(in[0].text())) {
    const bool large = is_upper_case(c) || is_title_case(c), small = is_lower_case(c);
    if ((large && inside) || (small && !inside)) return false;
    inside = large || small;
    any = any || inside;
  }
  return any;
}

// A set of code points, in which a long one is found as quickly as a short one.
class CodePoints {
 public:
  explicit CodePoints(std::u32string points) : points_(std::move(points)) {
    if (points_.size() < 16) return;
    known_.resize(0x110000);
    for (const char32_t c : points_) known_[std::min<std::size_t>(c, known_.size() - 1)] = true;
  }
  bool contains(char32_t c) const {
    return known_.empty() ? points_.find(c) != std::u32string::npos : c < known_.size() && known_[c];
  }

 private:
  const std::u32string points_;
  std::vector<bool> known_;
};

Value strip(Call& call, bool left, bool right) {
  const Parameters in(call, "strip", {"", ""}, 1);
  const std::u32string text = to_code_points(in[0].text());
  const bool spaces = !in.has(1) || in[1].is_none();
  const CodePoints set(spaces ? std::u32string() : to_code_points(in.text(1, "")));
  const auto goes = [&](char32_t c) { return spaces ? is_space(c) : set.contains(c); };
  std::size_t first = 0, last = text.size();
  while (left && first < last && goes(text[first])) ++first;
  while (right && last > first && goes(text[last - 1])) --last;
  return Value(to_utf8(std::u32string_view(text).substr(first, last - first)));
}

Value justify(Call& call, char align) {
  const Parameters in(call, "justify", {"", "", ""}, 2);
  const std::u32string text = to_code_points(in[0].text()), fill = to_code_points(in.text(2, " "));
  if (fill.size() != 1) fail(FailureKind::type, "The fill character must be exactly one character long");
  const std::int64_t width = in.integer(1, 0), size = static_cast<std::int64_t>(text.size());
  if (width <= size) return in[0];
  charge_text(static_cast<std::size_t>(width));
  const auto missing = static_cast<std::size_t>(width - size);
  // As Python centers: the odd one goes left if the width is odd.
  const std::size_t before = align == '<'   ? 0
                             : align == '>' ? missing
                                            : missing / 2 + (missing & static_cast<std::size_t>(width) & 1);
  return Value(to_utf8(std::u32string(before, fill[0]) + text + std::u32string(missing - before, fill[0])));
}

// Where a method searches: a slice of the text.
struct Span {
  std::string_view text;
  std::int64_t first;  // the code points before it
  bool possible;
};

Span span_of(std::string_view text, const Parameters& in) {
  const auto size = static_cast<std::int64_t>(count_code_points(text));
  const auto index = [&](std::size_t i, std::int64_t otherwise) {
    return in.has(i) && !in[i].is_none() ? in.integer(i, 0) : otherwise;
  };
  const auto place = [size](std::int64_t i) { return std::max<std::int64_t>(i < 0 ? i + size : i, 0); };
  const std::int64_t first = place(index(2, 0)), last = std::min(place(index(3, size)), size);
  if (first > last || first > size) return {{}, first, false};
  if (first == 0 && last == size) return {text, 0, true};
  const std::size_t begin = byte_of(text, static_cast<std::size_t>(first)),
                    end = byte_of(text, static_cast<std::size_t>(last));
  return {text.substr(begin, end - begin), first, true};
}

std::int64_t position(Call& call, std::string_view name, bool from_end) {
  const Parameters in(call, name, {"", "", "", ""}, 2);
  const std::string part = in.text(1, "");
  const Span span = span_of(in[0].text(), in);
  if (!span.possible) return -1;
  const std::size_t found = from_end ? find_last_part(span.text, part) : find_part(span.text, part);
  if (found == std::string_view::npos) return -1;
  return span.first + static_cast<std::int64_t>(count_code_points(span.text.substr(0, found)));
}

Value index_of(Call& call, std::string_view name, bool from_end) {
  const std::int64_t found = position(call, name, from_end);
  if (found < 0) fail(FailureKind::value, "substring not found");
  return found;
}

Value count(Call& call) {
  const Parameters in(call, "count", {"", "", "", ""}, 2);
  const std::string part = in.text(1, "");
  const Span span = span_of(in[0].text(), in);
  if (!span.possible) return 0;
  if (part.empty()) return static_cast<std::int64_t>(count_code_points(span.text)) + 1;
  std::int64_t count = 0;
  for (std::size_t i = 0; (i = find_part(span.text, part, i)) != std::string_view::npos; i += part.size()) {
    charge();
    ++count;
  }
  return count;
}

Value starts(Call& call, bool at_end) {
  const std::string_view name = at_end ? "endswith" : "startswith";
  const Parameters in(call, name, {"", "", "", ""}, 2);
  const Value given = unfolded(in[1]);
  const Span span = span_of(in[0].text(), in);
  for (const Value& choice : given.get<Tuple>() ? *given.get<Tuple>()->items : Values{given}) {
    charge();
    if (!choice.is_text()) {
      if (const auto* undefined = choice.get<Undefined>()) fail(undefined->kind, *undefined->message);
      fail(FailureKind::type,
           fmt::format("{} first arg must be str or a tuple of str, not {}", name, type_name(choice)));
    }
    if (!span.possible) continue;
    charge_reading(std::min(choice.text().size(), span.text.size()));
    if (at_end ? span.text.ends_with(choice.text()) : span.text.starts_with(choice.text())) return true;
  }
  return false;
}

Value split(Call& call, bool from_end) {
  const Parameters in(call, "split", {"", "sep", "maxsplit"}, 1);
  std::string_view text = in[0].text();
  std::int64_t most = in.integer(2, -1);
  Values parts;
  if (in.has(1) && !in[1].is_none()) {
    const std::string separator = in.text(1, "");
    if (separator.empty()) fail(FailureKind::value, "empty separator");
    // From the end is from the beginning of the reversed text.
    const auto turned = [&](std::string_view part) {
      return from_end ? std::string(part.rbegin(), part.rend()) : std::string(part);
    };
    const std::string wanted = turned(separator), backwards = from_end ? turned(text) : std::string();
    if (from_end) text = backwards;
    while (most-- != 0) {
      const std::size_t found = find_part(text, wanted);
      if (found == std::string_view::npos) break;
      parts.emplace_back(turned(text.substr(0, found)));
      text.remove_prefix(found + wanted.size());
    }
    parts.emplace_back(turned(text));
  } else {
    std::u32string rest = to_code_points(text);
    if (from_end) std::reverse(rest.begin(), rest.end());
    std::size_t i = 0;
    const auto skip = [&] {
      while (i < rest.size() && is_space(rest[i])) ++i;
    };
    const auto add = [&](std::u32string part) {
      if (from_end) std::reverse(part.begin(), part.end());
      parts.emplace_back(to_utf8(part));
    };
    for (skip(); i < rest.size(); skip()) {
      if (most-- == 0) {
        add(rest.substr(i));
        break;
      }
      const std::size_t start = i;
      while (i < rest.size() && !is_space(rest[i])) ++i;
      add(rest.substr(start, i - start));
    }
  }
  if (from_end) std::reverse(parts.begin(), parts.end());
  return Value::list(std::move(parts));
}

bool ends_line(char32_t c) {
  return (c >= 0x0a && c <= 0x0d) || (c >= 0x1c && c <= 0x1e) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

Value split_lines(Call& call) {
  const Parameters in(call, "splitlines", {"", "keepends"}, 1);
  const std::string_view text = in[0].text();
  const bool keeps = in.integer(1, 0) != 0;
  Values lines;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = i;
    const char32_t c = next_code_point(text, i);
    if (!ends_line(c)) continue;
    if (c == '\r' && i < text.size() && text[i] == '\n') ++i;
    lines.emplace_back(text.substr(start, (keeps ? i : end) - start));
    start = i;
  }
  if (start < text.size()) lines.emplace_back(text.substr(start));
  return Value::list(std::move(lines));
}

Value partition(Call& call, bool from_end) {
  const Parameters in(call, "partition", {"", ""}, 2);
  const std::string_view text = in[0].text();
  const std::string separator = in.text(1, "");
  if (separator.empty()) fail(FailureKind::value, "empty separator");
  const std::size_t found = from_end ? find_last_part(text, separator) : find_part(text, separator);
  if (found == std::string_view::npos) {
    return from_end ? Value::tuple({Value(""), Value(""), in[0]}) : Value::tuple({in[0], Value(""), Value("")});
  }
  return Value::tuple({Value(text.substr(0, found)), Value(separator), Value(text.substr(found + separator.size()))});
}

Value replace_part(Call& call) {
  const Parameters in(call, "replace", {"", "", "", "count"}, 3);
  const std::string_view text = in[0].text();
  const std::string old = in.text(1, ""), fresh = in.text(2, "");
  std::int64_t most = in.integer(3, -1);
  if (!old.empty()) return Value(replaced_parts(text, old, fresh, most));
  std::string out;
  std::size_t i = 0;
  while (most-- != 0) {
    out += fresh;
    if (i >= text.size()) break;
    const std::size_t start = i;
    next_code_point(text, i);
    out += text.substr(start, i - start);
    charge_piece(fresh.size() + i - start, out.size());
  }
  return Value(out.append(text.substr(std::min(i, text.size()))));
}

Value join_texts(Call& call) {
  const Parameters in(call, "join", {"", ""}, 2);
  std::string out;
  bool first = true;
  std::size_t index = 0;
  for (const Value& item : items_of(in[1])) {
    if (!item.is_text()) {
      fail(FailureKind::type, fmt::format("sequence item {}: expected str instance, {} found", index, type_name(item)));
    }
    const std::size_t before = out.size();
    if (!std::exchange(first, false)) out += in[0].text();
    out += item.text();
    charge_piece(out.size() - before, out.size());
    ++index;
  }
  return Value(std::move(out));
}

Value zero_fill(Call& call) {
  const Parameters in(call, "zfill", {"", ""}, 2);
  std::string text = self_of(call);
  const std::int64_t missing = in.integer(1, 0) - static_cast<std::int64_t>(count_code_points(text));
  if (missing > 0) {
    charge_text(static_cast<std::size_t>(missing));
    text.insert(text.starts_with('-') || text.starts_with('+') ? 1 : 0, static_cast<std::size_t>(missing), '0');
  }
  return Value(std::move(text));
}

Value expand_tabs(Call& call) {
  const Parameters in(call, "expandtabs", {"", "tabsize"}, 1);
  const std::int64_t size = in.integer(1, 8);
  std::string out;
  std::int64_t column = 0;
  for (const char c : in[0].text()) {
    if (c != '\t') {
      out += c;
      column = c == '\n' || c == '\r' ? 0 : column + 1;
      continue;
    }
    const std::int64_t spaces = size > 0 ? size - column % size : 0;
    charge_piece(static_cast<std::size_t>(spaces), out.size() + static_cast<std::size_t>(spaces));
    out.append(static_cast<std::size_t>(spaces), ' ');
    column += spaces;
  }
  return Value(std::move(out));
}

constexpr Method kMethods[] = {
    {"capitalize", converted<capitalized>},
    {"casefold", converted<case_folded>},
    {"center", [](Call& call) { return justify(call, '^'); }},
    {"count", count},
    {"endswith", [](Call& call) { return starts(call, true); }},
    {"expandtabs", expand_tabs},
    {"find", [](Call& call) -> Value { return position(call, "find", false); }},
    {"format", [](Call& call) -> Value { return Value(format_braces(call)); }},
    {"index", [](Call& call) { return index_of(call, "index", false); }},
    {"isalnum", all_are<is_alphanumeric>},
    {"isalpha", all_are<is_alphabetic>},
    {"isascii", all_are<is_ascii, true>},
    {"isdecimal", all_are<is_decimal>},
    {"isdigit", all_are<is_digit_sign>},
    {"isnumeric", all_are<is_numeric>},
    {"isprintable", all_are<is_printable, true>},
    {"isspace", all_are<is_space>},
    {"islower", case_is<false>},
    {"isupper", case_is<true>},
    {"istitle", is_title},
    {"join", join_texts},
    {"ljust", [](Call& call) { return justify(call, '<'); }},
    {"lower", in_lower_case},
    {"lstrip", [](Call& call) { return strip(call, true, false); }},
    {"partition", [](Call& call) { return partition(call, false); }},
    {"removeprefix",
     [](Call& call) -> Value {
       const Parameters in(call, "removeprefix", {"", ""}, 2);
       const std::string prefix = in.text(1, "");
       return in[0].text().starts_with(prefix) ? Value(in[0].text().substr(prefix.size())) : in[0];
     }},
    {"removesuffix",
     [](Call& call) -> Value {
       const Parameters in(call, "removesuffix", {"", ""}, 2);
       const std::string suffix = in.text(1, "");
       const std::string_view text = in[0].text();
       return text.ends_with(suffix) ? Value(text.substr(0, text.size() - suffix.size())) : in[0];
     }},
    {"replace", replace_part},
    {"rfind", [](Call& call) -> Value { return position(call, "rfind", true); }},
    {"rindex", [](Call& call) { return index_of(call, "rindex", true); }},
    {"rjust", [](Call& call) { return justify(call, '>'); }},
    {"rpartition", [](Call& call) { return partition(call, true); }},
    {"rsplit", [](Call& call) { return split(call, true); }},
    {"rstrip", [](Call& call) { return strip(call, false, true); }},
    {"split", [](Call& call) { return split(call, false); }},
    {"splitlines", split_lines},
    {"startswith", [](Call& call) { return starts(call, false); }},
    {"strip", [](Call& call) { return strip(call, true, true); }},
    {"swapcase", converted<case_swapped>},
    {"title", converted<title_cased>},
    {"upper", converted<upper_cased>},
    {"zfill", zero_fill},
};

}  // namespace

const Method* find_text_method(std::string_view name) {
  for (const Method& method : kMethods) {
    if (method.name == name) return &method;
  }
  return find_in(more_text_methods(), name);
}

}  // namespace hearth::templates
