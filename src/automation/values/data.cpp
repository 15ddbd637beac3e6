// SPDX-License-Identifier: Apache-2.0
#include "automation/values/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "base/text/text.h"
#include "base/text/truth.h"
#include "template/values/failure.h"

namespace hearth::automation {
namespace {

using base::ConfigNode;
using templates::Value;
using templates::VariablesView;

bool has_template(std::string_view text) {
  return text.contains("{{") || text.contains("{%") || text.contains("{#");
}

// A failure of a template at that key.
std::unexpected<base::Error> failed(const std::string& key, const templates::Failure& failure) {
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("{}: the template fails ({}): {}", key, to_string(failure.kind), failure.message));
}

std::optional<json::value> whole_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.starts_with("0o")) {
    base = 8;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.front() == '0') {
    base = 8;  // as YAML 1.1 has it
  }
  std::string digits(text);
  std::erase(digits, '_');
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [last, error] = std::from_chars(digits.data(), end, number, base);
  if (digits.empty() || error != std::errc() || last != end || digits.front() == '-') return {};
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (negative) return number > kMost + 1 ? std::optional<json::value>() : static_cast<std::int64_t>(0 - number);
  return number > kMost ? json::value(number) : json::value(static_cast<std::int64_t>(number));
}

std::optional<json::value> fraction(std::string_view text) {
  const auto digits = text.find_first_of("0123456789");
  if (digits == std::string_view::npos || text.find_first_not_of("0123456789.+-eE_") != std::string_view::npos)
    return {};
  if (!text.contains('.')) return {};  // YAML 1.1: 1e3 is a text
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || last != text.data() + text.size()) return {};
  return number;
}

// True if Python takes the text for a number, as HA does: 5, -1.5, .5, but neither 01 nor 1e3.
bool looks_numeric(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9') return false;
  const auto digits = std::ranges::count_if(text, [](char c) { return c >= '0' && c <= '9'; });
  const auto dots = std::ranges::count(text, '.');
  return digits > 0 && dots <= 1 && static_cast<std::size_t>(digits + dots) == text.size();
}

// Numbers and quoted texts with commas between them: Python takes 255,0,0 for a tuple, as HA does.
bool is_bare_tuple(std::string_view text) {
  std::size_t parts = 0;
  for (;; ++parts) {
    text = base::trim_blanks(text);
    if (text.empty()) return false;
    const char quote = text.front();
    std::size_t end = text.find(',');
    if (quote == '\'' || quote == '"') {
      end = text.find(quote, 1);
      if (end == std::string_view::npos || text.substr(0, end).contains('\\')) return false;
      ++end;
      const std::string_view rest = base::trim_blanks(text.substr(end));
      if (!rest.empty() && rest.front() != ',') return false;
      end = rest.empty() ? std::string_view::npos : text.find(',', end);
    } else if (!looks_numeric(base::trim_blanks(text.substr(0, end)))) {
      return false;
    }
    if (end == std::string_view::npos) return parts > 0;
    text.remove_prefix(end + 1);
  }
}

// True if a list or object has no names outside of its texts except those of constants.
bool has_literals_only(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\'' || text[i] == '"') {
      const char quote = text[i++];
      for (; i < text.size() && text[i] != quote; ++i) i += text[i] == '\\';
      ++i;
    } else if (is_letter(text[i])) {
      std::size_t end = i;
      while (end < text.size() && is_letter(text[end])) ++end;
      const std::string_view word = text.substr(i, end - i);
      if (word != "True" && word != "False" && word != "None") return false;
      i = end;
    } else {
      ++i;
    }
  }
  return true;
}

}  // namespace

json::value plain_value(std::string_view text) {
  if (text.empty() || text == "~" || base::equals_ignoring_case(text, "null")) return nullptr;
  if (const auto boolean = base::parse_yaml_boolean(text)) return *boolean;
  if (auto number = whole_number(text)) return std::move(*number);
  if (auto number = fraction(text)) return std::move(*number);
  return json::string(text);
}

Value native_value(Value value) {
  if (!value.is_text()) return value;
  const std::string_view text = value.text();
  if (text == "True") return Value(true);
  if (text == "False") return Value(false);
  if (text == "None") return Value();
  if (looks_numeric(text)) {
    if (text.contains('.')) {
      double number = 0;
      const char* const start = text.data() + text.starts_with('+');
      std::from_chars(start, text.data() + text.size(), number);
      return Value(number);
    }
    if (auto number = whole_number(text); number && number->is_int64()) return Value(number->get_int64());
    return value;
  }
  const bool list = text.starts_with('[') && text.ends_with(']'), dict = text.starts_with('{') && text.ends_with('}'),
             tuple = text.starts_with('(') && text.ends_with(')');
  const bool bare_tuple = !list && !dict && !tuple && is_bare_tuple(text);
  if ((!list && !dict && !tuple && !bare_tuple) || !has_literals_only(text)) return value;
  const auto code = templates::Template::compile(bare_tuple ? fmt::format("{{{{ ({}) }}}}", text)
                                                            : fmt::format("{{{{ {} }}}}", text));
  if (!code) return value;
  templates::Environment nothing;
  nothing.strict = true;
  auto literal = code->evaluate(nothing, {});
  if (!literal || literal->is_undefined() || literal->is_text()) return value;
  const bool meant = !tuple || literal->get<templates::Tuple>();  // (5) is a number in brackets
  return meant ? std::move(*literal) : value;
}

Value defined_value(Value value) {
  return value.is_undefined() ? Value("") : value;
}

json::value json_of(const Value& value) {
  if (value.is_undefined()) return nullptr;
  // As it prints: 2026-03-10 12:00:01+01:00.
  const bool is_time = value.get<templates::DateTime>() || value.get<templates::Date>() ||
                       value.get<templates::TimeOfDay>() || value.get<templates::TimeDelta>();
  if (is_time) return json::string(templates::to_text(value));
  try {
    return templates::to_json(value);
  } catch (const templates::Failure&) {
    return json::string(templates::to_text(value));
  }
}

base::Result<Data> Data::parse(const ConfigNode& node) {
  if (node.broken()) return std::unexpected(*node.broken());
  if (node.is_list()) {
    List list;
    json::array constants;
    for (const ConfigNode& item : node.items()) {
      auto parsed = parse(item);
      if (!parsed) return parsed;
      if (parsed->is_constant()) constants.push_back(parsed->constant());
      list.push_back(std::move(*parsed));
    }
    if (constants.size() == list.size()) return constant(std::move(constants));
    return Data(Content(std::move(list)));
  }
  if (node.is_map()) {
    Map map;
    json::object constants;
    for (const ConfigNode::Entry& entry : node.entries()) {
      auto parsed = parse(entry.value);
      if (!parsed) return parsed;
      auto key = parse(ConfigNode(entry.value.place(), entry.key));
      if (!key) return key;
      if (parsed->is_constant() && key->is_constant()) constants[entry.key] = parsed->constant();
      map.push_back({entry.key, std::move(*parsed), key->is_constant() ? std::optional<Data>() : std::move(*key)});
    }
    if (constants.size() == map.size()) return constant(std::move(constants));
    return Data(Content(std::move(map)));
  }
  if (node.is_empty()) return Data();
  const std::string text = node.text().value();
  if (has_template(text)) {
    auto code = templates::Template::compile(text);
    if (!code) {
      const templates::Failure& failure = code.error();
      return std::unexpected(node.error(fmt::format("the template does not compile ({}, its line {}): {}",
                                                    to_string(failure.kind), failure.line, failure.message)));
    }
    return Data(Content(Compiled{std::move(*code), node.place().key}));
  }
  return constant(node.writing().plain ? plain_value(text) : json::value(json::string(text)));
}

Data Data::constant(json::value value) {
  return Data(Content(std::move(value)));
}

Data Data::map(std::vector<std::pair<std::string, Data>> entries) {
  Map map;
  for (auto& [key, value] : entries) map.push_back({std::move(key), std::move(value), {}});
  return Data(Content(std::move(map)));
}

Data Data::member(std::string_view key) const {
  if (const auto* const value = std::get_if<json::value>(&*content_)) {
    const json::value* const found = value->is_object() ? value->get_object().if_contains(key) : nullptr;
    return found ? constant(*found) : Data();
  }
  if (const auto* const map = std::get_if<Map>(&*content_)) {
    for (const Entry& entry : *map) {
      if (entry.key == key) return entry.value;
    }
  }
  return {};
}

// Values of templates.
struct Data::AsValue {
  using Made = Value;
  using Key = Value;
  using Items = templates::Values;
  using Entries = templates::Dict;

  static Value of_constant(const json::value& value) { return Value::from_json(value); }
  static Value of_template(Value value) { return value; }
  static Value key_of_template(Value key) { return key; }
  static void add(Entries& entries, Value key, Value value) { entries.set(std::move(key), std::move(value)); }
  static Value of_items(Items items) { return Value::list(std::move(items)); }
  static Value of_entries(Entries entries) { return Value::dict(std::move(entries)); }
};

struct Data::AsJson {
  using Made = json::value;
  using Key = std::string;
  using Items = json::array;
  using Entries = json::object;

  static json::value of_constant(const json::value& value) { return value; }
  static json::value of_template(Value value) { return json_of(defined_value(std::move(value))); }
  static std::string key_of_template(const Value& key) {
    return std::string(base::trim_blanks(templates::to_text(key)));
  }
  static void add(Entries& entries, const std::string& key, json::value value) { entries[key] = std::move(value); }
  static json::value of_items(Items items) { return items; }
  static json::value of_entries(Entries entries) { return entries; }
};

template <class As>
base::Result<typename As::Made> Data::made(const Renderer& renderer, const VariablesView& variables,
                                           templates::Dependencies* seen) const {
  if (is_constant()) return As::of_constant(constant());
  if (const auto* const compiled = std::get_if<Compiled>(&*content_)) {
    templates::Dependencies own, *const dependencies = seen || !renderer.is_noted() ? seen : &own;
    auto value = renderer.evaluate(compiled->code, variables, dependencies);
    if (!value) return failed(compiled->key, value.error());
    Value native = native_value(std::move(*value));
    if (dependencies == &own) renderer.note(compiled->key, native, own);
    return As::of_template(std::move(native));
  }
  if (const auto* const list = std::get_if<List>(&*content_)) {
    typename As::Items items;
    for (const Data& item : *list) {
      auto value = item.made<As>(renderer, variables, seen);
      if (!value) return value;
      items.push_back(std::move(*value));
    }
    return As::of_items(std::move(items));
  }
  typename As::Entries entries;
  for (const Entry& entry : std::get<Map>(*content_)) {
    auto value = entry.value.made<As>(renderer, variables, seen);
    if (!value) return value;
    typename As::Key key(entry.key);
    if (entry.key_template) {
      auto rendered = entry.key_template->render(renderer, variables, seen);
      if (!rendered) return std::unexpected(std::move(rendered.error()));
      key = As::key_of_template(std::move(*rendered));
    }
    As::add(entries, std::move(key), std::move(*value));
  }
  return As::of_entries(std::move(entries));
}

base::Result<Value> Data::render(const Renderer& renderer, const VariablesView& variables,
                                 templates::Dependencies* seen) const {
  return made<AsValue>(renderer, variables, seen);
}

base::Result<json::value> Data::render_json(const Renderer& renderer, const VariablesView& variables) const {
  return made<AsJson>(renderer, variables, nullptr);
}

base::Result<std::string> Data::render_text(const Renderer& renderer, const VariablesView& variables) const {
  const auto value = render(renderer, variables);
  if (!value) return std::unexpected(value.error());
  return std::string(base::trim_blanks(templates::to_text(*value)));
}

bool is_true(const Value& value) {
  return base::equals_ignoring_case(base::trim_blanks(templates::to_text(value)), "true");
}

bool counts_as_true(const Value& value) {
  if (value.is_undefined() || value.is_none()) return false;
  if (const auto number = templates::as_double(value)) return *number != 0;
  return base::parse_boolean(templates::to_text(value)).value_or(false);
}

}  // namespace hearth::automation
