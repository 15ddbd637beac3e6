// SPDX-License-Identifier: Apache-2.0
// version('2026.11.0b2'): compared number by number; dev, alpha, beta and rc come before what has none of them.
#include <fmt/format.h>

#include <algorithm>

#include "template/language/builtins.h"

namespace hearth::templates {
namespace {

struct VersionParts {
  std::vector<std::int64_t> sections;
  std::string_view type;               // of the modifier: dev, alpha, beta, rc; empty if there is none
  std::optional<std::int64_t> number;  // of the modifier
  bool valid = false;

  std::int64_t section(std::size_t index) const { return index < sections.size() ? sections[index] : 0; }
};

std::string_view without_prefix(std::string_view text) {
  if (!text.empty() && (text[0] == 'v' || text[0] == 'V')) text.remove_prefix(1);
  return text;
}

std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t number = 0;
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
    if (digits == 18) return {};
    number = number * 10 + (text[digits++] - '0');
  }
  text.remove_prefix(digits);
  if (digits == 0) return {};
  return number;
}

void take_separator(std::string_view& text) {
  if (!text.empty() && std::string_view(".-_").contains(text[0])) text.remove_prefix(1);
}

VersionParts version_parts(std::string_view text) {
  VersionParts parts;
  std::string_view rest = without_prefix(text);
  rest = rest.substr(0, rest.find('+'));  // what follows names the build
  while (const auto number = take_number(rest)) {
    parts.sections.push_back(*number);
    if (rest.size() < 2 || rest[0] != '.' || rest[1] < '0' || rest[1] > '9') break;
    rest.remove_prefix(1);
  }
  if (parts.sections.empty()) return parts;
  if (!rest.empty()) {
    constexpr std::pair<std::string_view, std::string_view> types[] = {
        {"dev", "dev"}, {"alpha", "alpha"}, {"beta", "beta"}, {"rc", "rc"}, {"a", "alpha"}, {"b", "beta"}};
    take_separator(rest);
    const auto* const type =
        std::find_if(std::begin(types), std::end(types), [&](const auto& one) { return rest.starts_with(one.first); });
    if (type == std::end(types)) return parts;
    rest.remove_prefix(type->first.size());
    parts.type = type->second;
    take_separator(rest);
    parts.number = take_number(rest);
  }
  parts.valid = rest.empty();
  return parts;
}

int type_rank(std::string_view type) {
  constexpr std::string_view types[] = {"dev", "alpha", "beta", "rc"};
  return static_cast<int>(std::find(std::begin(types), std::end(types), type) - std::begin(types));
}

class VersionDifference final : public Object {
 public:
  VersionDifference(VersionParts a, VersionParts b) : a_(std::move(a)), b_(std::move(b)) {}
  std::string_view type_name() const override { return "AwesomeVersionDiff"; }
  std::optional<Value> attribute(std::string_view name) const override {
    if (name == "major") return a_.section(0) != b_.section(0);
    if (name == "minor") return a_.section(1) != b_.section(1);
    if (name == "patch" || name == "micro") return a_.section(2) != b_.section(2);
    if (name == "modifier") return a_.type != b_.type || a_.number != b_.number;
    if (name == "modifier_type") return a_.type != b_.type;
    return {};
  }

 private:
  const VersionParts a_, b_;
};

class Version final : public Object {
 public:
  explicit Version(std::string text) : text_(std::move(text)), parts_(version_parts(text_)) {}
  std::string_view type_name() const override { return "AwesomeVersion"; }
  std::string to_text() const override { return text_; }
  bool truth() const override { return !text_.empty(); }

  std::optional<int> order(const Value& other) const override {
    const auto text = text_of(other);
    if (!text) return {};
    if (without_prefix(text_) == without_prefix(*text)) return 0;
    const VersionParts parts = version_parts(*text);
    if (!parts_.valid || !parts.valid) return 2;
    for (std::size_t i = 0; i < std::max(parts_.sections.size(), parts.sections.size()); ++i) {
      if (parts_.section(i) != parts.section(i)) return parts_.section(i) < parts.section(i) ? -1 : 1;
    }
    const auto mine = std::pair(type_rank(parts_.type), parts_.number.value_or(0)),
               its = std::pair(type_rank(parts.type), parts.number.value_or(0));
    return mine == its ? 2 : mine < its ? -1 : 1;  // 1.0 and 1.0.0 are not equal, and neither is older
  }

  std::optional<Value> minus(const Value& other) const override {
    const auto text = text_of(other);
    if (!text) return {};
    return Value(ObjectPtr(std::make_shared<const VersionDifference>(parts_, version_parts(*text))));
  }

  std::optional<Value> attribute(std::string_view name) const override {
    const auto section = [&](std::size_t index) {
      return index < parts_.sections.size() ? Value(parts_.sections[index]) : Value();
    };
    if (name == "string") return Value(without_prefix(text_));
    if (name == "valid") return parts_.valid;
    if (name == "simple") return parts_.valid && parts_.type.empty();
    if (name == "sections") return static_cast<std::int64_t>(parts_.sections.size());
    if (name == "major") return section(0);
    if (name == "minor") return section(1);
    if (name == "patch" || name == "micro") return section(2);
    if (name == "modifier_type") return parts_.type.empty() ? Value() : Value(parts_.type);
    if (name == "modifier") {
      if (parts_.type.empty()) return Value();
      return Value(parts_.number ? fmt::format("{}{}", parts_.type, *parts_.number) : std::string(parts_.type));
    }
    if (name == "alpha" || name == "beta" || name == "dev") return parts_.type == name;
    if (name == "release_candidate") return parts_.type == "rc";
    return {};
  }

 private:
  // Valid as long as the value.
  static std::optional<std::string_view> text_of(const Value& value) {
    if (value.is_text()) return value.text();
    const auto* const object = value.get<ObjectPtr>();
    const auto* const version = object ? dynamic_cast<const Version*>(object->get()) : nullptr;
    if (!version) return {};
    return version->text_;
  }

  const std::string text_;
  const VersionParts parts_;
};

}  // namespace

Value version(Call& call) {
  const Parameters in(call, "version", {"value"}, 1);
  return ObjectPtr(std::make_shared<const Version>(to_text(in[0])));
}

}  // namespace hearth::templates
