// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/message_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::api {

namespace field = core::field;

bool MessageReader::has(std::string_view key) {
  known_.emplace_back(key);
  return message_.contains(key);
}

void MessageReader::wrong(std::string_view key, std::string_view why, std::string_view expected) {
  if (problem_.empty()) problem_ = fmt::format("{}{}: {} {}.", path_, key, why, expected);
}

std::optional<json::value> MessageReader::read(std::string_view key, const field::Type& type, bool required,
                                               std::string_view expected) {
  known_.emplace_back(key);
  const json::value* const value = message_.if_contains(key);
  const bool missing = !value || value->is_null();
  if (missing && !required) return {};
  auto converted = missing ? std::nullopt : field::convert(type, *value, field::Writer::program);
  if (!converted)
    wrong(key, missing ? "missing; expected" : "expected",
          expected.empty() ? field::expected(type) : std::string(expected));
  return converted;
}

void MessageReader::required(std::string_view key, std::string& value) {
  if (const auto text = read(key, field::Text{}, true)) value = text->get_string();
}

void MessageReader::required(std::string_view key, std::int64_t& value, std::int64_t min, std::int64_t max) {
  if (const auto number = read(key, field::Integer{min, max}, true)) value = number->get_int64();
}

void MessageReader::required(std::string_view key, json::object& value) {
  if (auto object = read(key, field::Object{}, true)) value = std::move(object->get_object());
}

void MessageReader::required_value(std::string_view key, json::value& value) {
  if (has(key))
    value = message_.at(key);
  else
    wrong(key, "missing; expected", "a value");
}

void MessageReader::optional(std::string_view key, std::string& value) {
  if (const auto text = read(key, field::Text{})) value = text->get_string();
}

void MessageReader::optional(std::string_view key, std::optional<std::string>& value) {
  if (const auto text = read(key, field::Text{})) value = text->get_string();
}

void MessageReader::optional(std::string_view key, bool& value) {
  if (const auto boolean = read(key, field::Boolean{})) value = boolean->get_bool();
}

void MessageReader::optional(std::string_view key, std::optional<bool>& value) {
  if (const auto boolean = read(key, field::Boolean{})) value = boolean->get_bool();
}

void MessageReader::optional(std::string_view key, std::int64_t& value, std::int64_t min, std::int64_t max) {
  if (const auto number = read(key, field::Integer{min, max})) value = number->get_int64();
}

void MessageReader::optional(std::string_view key, std::vector<std::string>& value) {
  std::optional<std::vector<std::string>> read;
  optional(key, read);
  if (read) value = std::move(*read);
}

void MessageReader::optional(std::string_view key, std::optional<std::vector<std::string>>& value) {
  const auto texts = read(key, field::TextList{}, false, "a list of texts");
  if (!texts) return;
  value.emplace();
  for (const json::value& text : texts->get_array()) value->emplace_back(text.get_string());
}

void MessageReader::optional(std::string_view key, json::object& value) {
  if (auto object = read(key, field::Object{})) value = std::move(object->get_object());
}

void MessageReader::optional_number(std::string_view key, std::optional<std::string>& text) {
  if (read(key, field::Number{})) text = base::to_json(message_.at(key));
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
