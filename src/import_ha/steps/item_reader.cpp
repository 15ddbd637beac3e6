// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/item_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "core/registry/registry.h"
#include "import_ha/report/report.h"

namespace hearth::import_ha {
namespace {

constexpr base::Timestamp kUnknownUntil{std::chrono::hours(48)};  // in 1970

// As Python's str() writes it.
std::string python_text(const json::value& value, bool within) {
  if (value.is_string()) {
    const std::string text(value.get_string());
    if (!within) return text;
    const char quote = text.contains('\'') && !text.contains('"') ? '"' : '\'';
    std::string quoted(1, quote);
    for (const char c : text) {
      if (c == quote || c == '\\') quoted += '\\';
      quoted += c;
    }
    return quoted + quote;
  }
  if (value.is_bool()) return value.get_bool() ? "True" : "False";
  if (value.is_null()) return "None";
  if (value.is_array()) {
    std::vector<std::string> parts;
    for (const json::value& part : value.get_array()) parts.push_back(python_text(part, true));
    return fmt::format("[{}]", fmt::join(parts, ", "));
  }
  return base::to_json(value);
}

}  // namespace

const json::value* ItemReader::find(std::string_view key) const {
  const json::value* const value = item_.if_contains(key);
  return value && !value->is_null() ? value : nullptr;
}

void ItemReader::complain(std::string_view key, std::string_view expected) {
  wrong_.push_back(fmt::format("{}: not {}", key, expected));
}

base::OptionalText ItemReader::limited(std::string_view key, const json::value& value) {
  const json::string* const text = value.if_string();
  if (!text) {
    complain(key, "a text");
    return {};
  }
  const auto length = base::utf8_length(*text);
  if (!length || *length > core::Registry::kMaxTextLength) {
    complain(key, fmt::format("a text of at most {} characters", core::Registry::kMaxTextLength));
    return {};
  }
  return text->empty() ? base::OptionalText() : base::OptionalText(std::string(*text));
}

base::OptionalText ItemReader::text(std::string_view key) {
  const json::value* const value = find(key);
  return value ? limited(key, *value) : base::OptionalText();
}

std::string ItemReader::needed_text(std::string_view key) {
  const base::OptionalText text = this->text(key);
  if (!text && missing_.empty()) missing_ = key;
  return text.value_or("");
}

bool ItemReader::truth(std::string_view key, bool otherwise) {
  const json::value* const value = find(key);
  if (!value) return otherwise;
  if (value->is_bool()) return value->get_bool();
  complain(key, "true or false");
  return otherwise;
}

std::optional<int> ItemReader::integer(std::string_view key) {
  const json::value* const value = find(key);
  if (!value) return {};
  const std::int64_t* const number = value->if_int64();
  if (number && *number >= std::numeric_limits<int>::min() && *number <= std::numeric_limits<int>::max())
    return static_cast<int>(*number);
  complain(key, "a whole number");
  return {};
}

core::Texts ItemReader::texts(std::string_view key) {
  core::Texts texts;
  const json::array* const list = array(key);
  if (!list) return texts;
  for (const json::value& each : *list) {
    if (each.is_null()) continue;
    if (const auto text = limited(key, each)) texts.insert(*text);
  }
  while (texts.size() > core::Registry::kMaxTexts) {
    texts.erase(std::prev(texts.end()));
    if (texts.size() == core::Registry::kMaxTexts)
      complain(key, fmt::format("at most {} of them", core::Registry::kMaxTexts));
  }
  return texts;
}

json::object ItemReader::object(std::string_view key) {
  const json::value* const value = find(key);
  if (!value) return {};
  if (value->is_object()) return value->get_object();
  complain(key, "an object");
  return {};
}

const json::array* ItemReader::array(std::string_view key) {
  const json::value* const value = find(key);
  if (!value) return nullptr;
  if (!value->is_array()) complain(key, "a list");
  return value->if_array();
}

base::Timestamp ItemReader::time(std::string_view key) {
  const json::value* const value = find(key);
  if (!value) return {};
  const json::string* const text = value->if_string();
  const auto time = text ? base::parse_timestamp(*text) : base::Result<base::Timestamp>(base::Timestamp());
  if (!text || !time) {
    complain(key, "a time");
    return {};
  }
  return *time < kUnknownUntil ? base::Timestamp() : *time;
}

std::optional<core::ChangedBy> ItemReader::changed_by(std::string_view key) {
  const json::value* const value = find(key);
  if (!value) return {};
  return *value == "user" ? core::ChangedBy::user : core::ChangedBy::integration;
}

std::string ItemReader::unique_id(std::string_view key) {
  const json::value* const value = find(key);
  const bool known = value && !value->is_object() && !(value->is_string() && value->get_string().empty());
  if (!known && missing_.empty()) missing_ = key;
  return known ? python_text(*value, false) : std::string();
}

std::string ItemReader::complaint() const {
  if (!missing_.empty()) return fmt::format("{} is missing", missing_);
  return wrong_.empty() ? std::string() : fmt::format("left out: {}", fmt::join(wrong_, "; "));
}

std::vector<const json::object*> items_of(const json::value& data, std::string_view key, std::string_view what,
                                          const std::string& file, Report& report) {
  std::vector<const json::object*> items;
  const json::object* const object = data.if_object();
  const json::value* const list = object ? object->if_contains(key) : nullptr;
  if (!list || list->is_null()) return items;
  if (!list->is_array()) {
    report.add({.what = std::string(what),
                .id = std::string(key),
                .fate = Fate::left,
                .why = Why::broken,
                .text = fmt::format("{} is no list", key),
                .file = file});
    return items;
  }
  for (const json::value& each : list->get_array()) {
    if (each.is_object())
      items.push_back(&each.get_object());
    else
      report.add({.what = std::string(what),
                  .id = base::utf8_excerpt(base::to_json(each)),
                  .fate = Fate::left,
                  .why = Why::broken,
                  .text = "not an object",
                  .file = file});
  }
  return items;
}

}  // namespace hearth::import_ha
