// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/message_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::api {
namespace {

std::string expected_number(std::int64_t min, std::int64_t max) {
  if (max == INT64_MAX) return fmt::format("a whole number of at least {}", min);
  return fmt::format("a whole number from {} to {}", min, max);
}

}  // namespace

bool MessageReader::has(std::string_view key) {
  known_.emplace_back(key);
  return message_.contains(key);
}

const json::value* MessageReader::find(std::string_view key) {
  known_.emplace_back(key);
  const json::value* const value = message_.if_contains(key);
  return value && !value->is_null() ? value : nullptr;
}

const json::value* MessageReader::find_required(std::string_view key, std::string_view expected) {
  const json::value* const value = find(key);
  if (!value && problem_.empty()) problem_ = fmt::format("{}{}: missing; expected {}.", path_, key, expected);
  return value;
}

void MessageReader::wrong(std::string_view key, std::string_view expected) {
  if (problem_.empty()) problem_ = fmt::format("{}{}: expected {}.", path_, key, expected);
}

void MessageReader::read(std::string_view key, const json::value* value, std::string& into) {
  if (!value) return;
  if (value->is_string())
    into = value->get_string();
  else
    wrong(key, "a text");
}

void MessageReader::read(std::string_view key, const json::value* value, std::int64_t& into, std::int64_t min,
                         std::int64_t max) {
  if (!value) return;
  const std::int64_t* const number = value->if_int64();
  if (number && *number >= min && *number <= max)
    into = *number;
  else
    wrong(key, expected_number(min, max));
}

void MessageReader::read(std::string_view key, const json::value* value, json::object& into) {
  if (!value) return;
  if (value->is_object())
    into = value->get_object();
  else
    wrong(key, "an object");
}

void MessageReader::required(std::string_view key, std::string& value) {
  read(key, find_required(key, "a text"), value);
}

void MessageReader::required(std::string_view key, std::int64_t& value, std::int64_t min, std::int64_t max) {
  read(key, find_required(key, expected_number(min, max)), value, min, max);
}

void MessageReader::required(std::string_view key, json::object& value) {
  read(key, find_required(key, "an object"), value);
}

void MessageReader::required_value(std::string_view key, json::value& value) {
  if (has(key))
    value = message_.at(key);
  else if (problem_.empty())
    problem_ = fmt::format("{}{}: missing; expected a value.", path_, key);
}

void MessageReader::optional(std::string_view key, std::string& value) {
  read(key, find(key), value);
}

void MessageReader::optional(std::string_view key, std::optional<std::string>& value) {
  const json::value* const found = find(key);
  if (found) read(key, found, value.emplace());
}

void MessageReader::optional(std::string_view key, bool& value) {
  std::optional<bool> read;
  optional(key, read);
  value = read.value_or(value);
}

void MessageReader::optional(std::string_view key, std::optional<bool>& value) {
  const json::value* const found = find(key);
  if (!found) return;
  if (found->is_bool())
    value = found->get_bool();
  else
    wrong(key, "true or false");
}

void MessageReader::optional(std::string_view key, std::int64_t& value, std::int64_t min, std::int64_t max) {
  read(key, find(key), value, min, max);
}

void MessageReader::optional(std::string_view key, std::vector<std::string>& value) {
  std::optional<std::vector<std::string>> read;
  optional(key, read);
  if (read) value = std::move(*read);
}

void MessageReader::optional(std::string_view key, std::optional<std::vector<std::string>>& value) {
  const json::value* const found = find(key);
  if (!found) return;
  auto& texts = value.emplace();
  if (found->is_string()) {
    texts.emplace_back(found->get_string());
    return;
  }
  const json::array* const list = found->if_array();
  const auto is_text = [](const json::value& item) { return item.is_string(); };
  if (!list || !std::ranges::all_of(*list, is_text)) return wrong(key, "a list of texts");
  for (const json::value& item : *list) texts.emplace_back(item.get_string());
}

void MessageReader::optional(std::string_view key, json::object& value) {
  read(key, find(key), value);
}

void MessageReader::optional_number(std::string_view key, std::optional<std::string>& text) {
  const json::value* const found = find(key);
  if (!found) return;
  if (found->is_number())
    text = base::to_json(*found);
  else
    wrong(key, "a number");
}

void MessageReader::change(std::string_view key, std::optional<std::optional<std::string>>& value) {
  if (!has(key)) return;
  optional(key, value.emplace());
}

void MessageReader::change(std::string_view key, std::optional<base::OptionalText>& value) {
  std::optional<std::optional<std::string>> text;
  change(key, text);
  if (text) value.emplace(std::move(*text));
}

bool MessageReader::is_null(std::string_view key) const {
  const json::value* const value = message_.if_contains(key);
  return value && value->is_null();
}

base::Result<void> MessageReader::finish() {
  if (problem_.empty()) {
    for (const auto& [key, value] : message_) {
      if (std::ranges::find(known_, std::string_view(key)) != known_.end()) continue;
      problem_ = fmt::format("{}{}: there is no such key in this command.", path_, std::string_view(key));
      break;
    }
  }
  if (!problem_.empty()) return base::fail(base::ErrorCode::invalid, problem_);
  return {};
}

}  // namespace hearth::api
