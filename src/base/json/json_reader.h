// SPDX-License-Identifier: Apache-2.0
// Runs Boost.JSON's parser over a whole text, strictly, with a handler of ours. Used by base/json and
// base/json_members.
#pragma once

#include <boost/json/basic_parser_impl.hpp>
#include <charconv>
#include <cmath>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace hearth::base {

// State that the handlers share. The whole text is there at once, so a number never comes in parts.
class JsonHandler {
 public:
  using error_code = boost::system::error_code;
  static constexpr std::size_t max_object_size = json::object::max_size();
  static constexpr std::size_t max_array_size = json::array::max_size();
  static constexpr std::size_t max_key_size = json::string::max_size();
  static constexpr std::size_t max_string_size = json::string::max_size();

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_number_part(json::string_view, error_code&) { return true; }
  bool on_comment_part(json::string_view, error_code&) { return true; }
  bool on_comment(json::string_view, error_code&) { return true; }

 protected:
  // The library's own conversion may be off by one ulp, and takes 0e400 as too large. Null, with the error set, if the
  // number is beyond a double.
  static std::optional<double> exact(double value, std::string_view text, error_code& error) {
    const auto status = std::from_chars(text.data(), text.data() + text.size(), value).ec;
    // Out of range means too large, or too small to differ from zero.
    if (status == std::errc() || std::fabs(value) < 1) return value;
    error = json::error::exponent_overflow;
    return {};
  }
};

// Parses the text into the handler. Fails as parse_json does.
template <class Handler>
Result<void> read_json(json::basic_parser<Handler>& parser, std::string_view text) try {
  boost::system::error_code error;
  const std::size_t used = parser.write_some(false, text.data(), text.size(), error);
  if (!error && used < text.size()) error = json::error::extra_data;
  if (error) return fail(ErrorCode::invalid, error.message() + " at byte " + std::to_string(used));
  return {};
} catch (const std::bad_alloc&) {
  return fail(ErrorCode::invalid, "too many values");
}

inline json::parse_options strict_json() {
  json::parse_options options;
  options.max_depth = kMaxJsonDepth;
  return options;
}

}  // namespace hearth::base
