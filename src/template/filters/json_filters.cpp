// SPDX-License-Identifier: Apache-2.0
// from_json, to_json and tojson.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/json/json.h"
#include "template/language/builtins.h"
#include "template/values/integer.h"
#include "template/values/text.h"

namespace hearth::templates {
namespace {

struct Style {
  std::string_view comma = ",", colon = ":";
  std::optional<std::string> indent = {};  // of each level; null for one line
  bool sorted = false, ascii = false;
  bool plain = true;  // as the hub writes JSON: NaN is null, and integers have 64 bits; otherwise as Python's json does
};

void append_json_text(std::string& out, std::string_view text, bool ascii) {
  std::string escaped;
  base::write_json_string(escaped, text);
  if (!ascii) {
    out += escaped;
    return;
  }
  for (std::size_t i = 0; i < escaped.size();) {
    const char32_t c = next_code_point(escaped, i);
    if (c < 0x80)
      out += static_cast<char>(c);
    else if (c < 0x10000)
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
    else
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + ((static_cast<std::uint32_t>(c) - 0x10000) >> 10),
                         0xdc00 + ((static_cast<std::uint32_t>(c) - 0x10000) & 0x3ff));
  }
}

[[noreturn]] void refuse(std::string_view type) {
  fail(FailureKind::type, fmt::format("Object of type {} is not JSON serializable", type));
}

class JsonWriter {
 public:
  JsonWriter(std::string& out, const Style& style) : out_(out), style_(style) {}

  void write(const Value& value) {
    const Deeper deeper;
    charge();
    const std::size_t before = out_.size();
    std::visit(*this, value.data());
    if (out_.size() - before > 64) charge_text(out_.size());
  }

  void operator()(const None&) { out_ += "null"; }
  void operator()(bool boolean) { out_ += boolean ? "true" : "false"; }
  void operator()(std::int64_t integer) { base::write_json_number(out_, integer); }
  void operator()(const BigInteger& integer) {
    const Integer& number = integer.number->value;
    if (style_.plain && (number < 0 || number > std::numeric_limits<std::uint64_t>::max()))
      fail(FailureKind::type, "Integer exceeds 64-bit range");
    out_ += to_text(Value(integer));
  }
  void operator()(double number) { out_ += number_in_json(number); }
  void operator()(const Text& text) { append_json_text(out_, *text.text, style_.ascii); }
  void operator()(const List& list) { write_row(*list.items); }
  void operator()(const Tuple& tuple) { write_row(*tuple.items); }
  void operator()(const JsonNode& json) {
    if (style_.plain && !style_.sorted && !style_.indent) return base::write_json(out_, *json.node);
    const Value whole = unfolded(Value(json));
    std::visit(*this, whole.data());
  }
  void operator()(const DictPtr& dict) {
    struct Member {
      std::string key;
      const Value* value;
    };
    std::vector<Member> members;
    for (const auto& [key, value] : dict->entries()) members.push_back({key_text(key), &value});
    if (style_.sorted) std::ranges::sort(members, {}, &Member::key);
    write_all('{', '}', members, [this](const Member& member) {
      append_json_text(out_, member.key, style_.ascii);
      out_ += style_.colon;
      write(*member.value);
    });
  }
  void operator()(const DateTime& time) { append_json_text(out_, to_text(time, 'T'), style_.ascii); }
  void operator()(const Date& day) { append_json_text(out_, to_text(day), style_.ascii); }
  void operator()(const TimeOfDay& time) { append_json_text(out_, to_text(time), style_.ascii); }
  void operator()(const ObjectPtr& object) { refuse(object->type_name()); }
  template <class Other>
  void operator()(const Other& other) {
    refuse(type_name(Value(other)));
  }

 private:
  std::string number_in_json(double number) const {
    if (std::isfinite(number)) {
      if (!style_.plain) return number_text(number);
      std::string text;
      base::write_json_number(text, number);
      return text;
    }
    return style_.plain ? "null" : std::isnan(number) ? "NaN" : number < 0 ? "-Infinity" : "Infinity";
  }

  // Keys that are no texts become ones.
  std::string key_text(const Value& key) const {
    if (key.is_text()) return std::string(key.text());
    if (key.is_none()) return "null";
    if (const auto* boolean = key.get<bool>()) return *boolean ? "true" : "false";
    if (const auto* number = key.get<double>()) return number_in_json(*number);
    if (key.is_integer()) return to_text(key);
    fail(FailureKind::type, fmt::format("keys must be str, int, float, bool or None, not {}", type_name(key)));
  }

  void write_row(const Values& items) {
    write_all('[', ']', items, [this](const Value& item) { write(item); });
  }

  void write_all(char open, char close, const auto& parts, auto&& write_part) {
    out_ += open;
    ++level_;
    bool first = true;
    for (const auto& part : parts) {
      if (!std::exchange(first, false)) out_ += style_.comma;
      break_line();
      write_part(part);
    }
    --level_;
    if (!first) break_line();
    out_ += close;
  }

  void break_line() {
    if (!style_.indent) return;
    out_ += '\n';
    for (int i = 0; i < level_; ++i) out_ += *style_.indent;
    charge_text(out_.size());
  }

  std::string& out_;
  const Style& style_;
  int level_ = 0;
};

std::string json_text(const Value& value, const Style& style) {
  std::string out;
  JsonWriter(out, style).write(value);
  charge_text(out.size());
  return out;
}

// Jinja2's own: keys sorted, spaces after signs, safe within HTML.
Value to_json_for_html(Call& call) {
  const Parameters in(call, "tojson", {"value", "indent"}, 1);
  Style style{", ", ": ", {}, true, true, false};
  if (in.has(1) && !in[1].is_none()) {
    const auto spaces = [&] { return static_cast<std::size_t>(std::clamp<std::int64_t>(in.integer(1, 0), 0, 16)); };
    style.indent = in[1].is_text() ? in.text(1, "") : std::string(spaces(), ' ');
    style.comma = ",";
  }
  std::string out;
  for (const char c : json_text(in[0], style)) {
    if (c == '<' || c == '>' || c == '&' || c == '\'')
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return Value(std::move(out));
}

Value write_json(Call& call) {
  const Parameters in(call, "to_json", {"value", "ensure_ascii", "pretty_print", "sort_keys"}, 1);
  Style style;
  style.ascii = in.flag(1, false);
  style.plain = !style.ascii;
  if (style.ascii) style.comma = ", ", style.colon = ": ";
  if (in.flag(2, false)) style.indent = "  ", style.comma = ",", style.colon = ": ";
  style.sorted = in.flag(3, false);
  return Value(json_text(in[0], style));
}

Value read_json(Call& call) {
  const Parameters in(call, "from_json", {"value", "default"}, 1);
  if (!in[0].is_text() && !in[0].get<Bytes>()) {
    if (in.has(1)) return in[1];
    if (const auto* undefined = in[0].get<Undefined>()) fail(undefined->kind, *undefined->message);
    fail(FailureKind::type, fmt::format("the JSON object must be str or bytes, not {}", type_name(in[0])));
  }
  const std::string_view text = in[0].is_text() ? in[0].text() : std::string_view(*in[0].get<Bytes>()->bytes);
  charge_size(text.size() * 4);
  auto parsed = base::parse_json(text);
  if (parsed) return Value::from_json(std::move(*parsed));
  if (in.has(1)) return in[1];
  fail(FailureKind::value, fmt::format("from_json got no JSON: {}", parsed.error().message));
}

constexpr Builtin kJsonFilters[] = {
    {"from_json", read_json},
    {"to_json", write_json},
    {"tojson", to_json_for_html},
};

}  // namespace

std::span<const Builtin> json_filters() {
  return kJsonFilters;
}

}  // namespace hearth::templates
