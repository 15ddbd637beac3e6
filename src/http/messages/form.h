// SPDX-License-Identifier: Apache-2.0
// The fields of a posted form: application/x-www-form-urlencoded or multipart/form-data (RFC 7578).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace hearth::http {

class Form {
 public:
  static constexpr std::size_t kMaxFields = 64;

  // Takes the request's Content-Type; a missing one means urlencoded. No field occurs twice (RFC 6749 §3.2), names and
  // values are UTF-8 without control characters; all attributes of a multipart field except its name are ignored. Fails
  // with invalid for another type, malformed text or too many fields.
  static base::Result<Form> parse(std::string_view content_type, std::string_view body);

  const std::vector<std::pair<std::string, std::string>>& fields() const { return fields_; }
  std::optional<std::string_view> field(std::string_view name) const;

 private:
  base::Result<void> parse_urlencoded(std::string_view body);
  base::Result<void> parse_multipart(std::string_view boundary, std::string_view body);
  base::Result<void> add(std::string name, std::string value);

  std::vector<std::pair<std::string, std::string>> fields_;
};

}  // namespace hearth::http
