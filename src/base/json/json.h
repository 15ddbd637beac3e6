// SPDX-License-Identifier: Apache-2.0
// Reads and writes JSON as the contract says: strict when reading, plain numbers when writing. Values are Boost.JSON's,
// which keep the order of keys.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace hearth {
namespace json = boost::json;
}

namespace hearth::base {

constexpr std::size_t kMaxJsonDepth = 64;

// Memory that parsing may use; a text of many small values needs a multiple of its own size.
constexpr std::size_t kMaxJsonMemory = 64 * 1024 * 1024;

// Strict JSON: no NaN, comments, trailing text, invalid UTF-8, more than 64 levels, or numbers beyond a double. If a
// key occurs twice, the last one counts. Fails with invalid; the message names the byte.
Result<json::value> parse_json(std::string_view text, json::storage_ptr storage = {});

// Compact; UTF-8 unescaped; doubles in the shortest form that reads back the same, never as integers: 21.5, 1.0, 1e30.
void write_json(std::string& out, const json::value& value);
void write_json(std::string& out, const json::object& value);
void write_json_string(std::string& out, std::string_view text);
void append_json_escaped(std::string& out, std::string_view text);  // the same without the quotes
void write_json_number(std::string& out, std::int64_t value);
void write_json_number(std::string& out, std::uint64_t value);
// NaN and infinity are written as null.
void write_json_number(std::string& out, double value);
std::string to_json(const json::value& value);
std::string to_json(const json::object& value);

}  // namespace hearth::base
