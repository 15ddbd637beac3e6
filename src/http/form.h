// SPDX-License-Identifier: Apache-2.0
// The fields of a form that a client posts: application/x-www-form-urlencoded, or multipart/form-data (RFC 7578).
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

  // Takes the request's Content-Type; one that is missing means the first of the two. A field comes once (RFC 6749
  // §3.2), names and values are UTF-8 without control characters; what a multipart field says of itself beside its
  // name is not listened to. Fails with invalid: another type, malformed text, more fields.
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
