// SPDX-License-Identifier: Apache-2.0
// Reads the fields of a WebSocket command, one line for each, into variables that hold the defaults:
//
//   MessageReader in(call.message);
//   in.required("subscription", subscription, 1);
//   in.optional("entity_ids", entity_ids);
//   if (auto read = in.finish(); !read) return std::unexpected(read.error());
//
// A missing key, or an optional one that is null, leaves its variable unchanged. So does a wrong value, which is noted:
// finish reports the first error, which may also be a key that nobody read. One thread; the message must outlive the
// reader.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "base/text/optional_text.h"
#include "core/values/field.h"

namespace hearth::api {

class MessageReader {
 public:
  // Where it reads an object within the message, `path` stands before its keys in errors.
  explicit MessageReader(const json::object& message, std::string path = "")
      : message_(message), path_(std::move(path)) {}

  void required(std::string_view key, std::string& value);
  void required(std::string_view key, std::int64_t& value, std::int64_t min, std::int64_t max = INT64_MAX);
  void required(std::string_view key, json::object& value);
  void required_value(std::string_view key, json::value& value);  // of any kind, null too

  void optional(std::string_view key, std::string& value);
  void optional(std::string_view key, std::optional<std::string>& value);
  void optional(std::string_view key, bool& value);
  void optional(std::string_view key, std::optional<bool>& value);
  void optional(std::string_view key, std::int64_t& value, std::int64_t min, std::int64_t max = INT64_MAX);
  void optional(std::string_view key, std::vector<std::string>& value);  // a list of texts, or one text
  void optional(std::string_view key, std::optional<std::vector<std::string>>& value);
  void optional(std::string_view key, json::object& value);

  // The JSON text of a number.
  void optional_number(std::string_view key, std::optional<std::string>& text);

  // For changes: the outer value is there where the key is, the inner one where it is not null.
  void change(std::string_view key, std::optional<std::optional<std::string>>& value);
  void change(std::string_view key, std::optional<base::OptionalText>& value);

  // True if the key is there, null or not. It counts as read.
  bool has(std::string_view key);

  bool is_null(std::string_view key) const;  // and there

  // Fails with invalid.
  base::Result<void> finish();

 private:
  // Null if it is missing or null, or after noting that it is wrong. `expected`: the words for that, if they are not
  // those of the type.
  std::optional<json::value> read(std::string_view key, const core::field::Type& type, bool required = false,
                                  std::string_view expected = {});
  void wrong(std::string_view key, std::string_view why, std::string_view expected);

  const json::object& message_;
  const std::string path_;
  std::vector<std::string> known_{"id", "type"};
  std::string problem_;
};

}  // namespace hearth::api
