// SPDX-License-Identifier: Apache-2.0
// An object's members as JSON texts, without values in between: for those who hand most of a text on as it is. Much
// cheaper than parse_json and write_json, with the same result.
#pragma once

#include <boost/container/small_vector.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"

namespace hearth::base {

struct JsonMember {
  json::kind kind;
  std::string_view json;  // as write_json writes the value
  std::string_view text;  // what a string says, or a number's digits as they came (21.50); else empty
};

class JsonMembers {
 public:
  JsonMembers() {}  // not by default: that would clear the room of the members each time
  // Any JSON text; what is not an object has no members. Strict, and fails, as parse_json.
  static Result<JsonMembers> parse(std::string_view text);

  json::kind kind() const { return kind_; }
  // As write_json writes the whole.
  std::string_view json() const { return json_; }
  // Of a key that needs no escaping. Valid as long as this is neither moved nor gone.
  std::optional<JsonMember> find(std::string_view key) const;

 private:
  class Writer;
  struct Span {
    std::size_t start = 0;
    std::size_t size = 0;
    std::string_view of(std::string_view whole) const { return {whole.data() + start, size}; }
  };
  struct Member {
    json::kind kind = json::kind::null;
    Span key;   // in json_, with what had to be escaped
    Span json;  // in json_
    Span text;  // in texts_
  };

  const Member* last(std::string_view escaped_key) const;
  Result<void> read(std::string_view text, bool& doubtful);
  [[gnu::cold]] Result<void> read_again(std::string_view text);
  void keep_texts(const JsonMembers& other);

  json::kind kind_ = json::kind::null;
  std::string json_;
  std::string texts_;
  boost::container::small_vector<Member, 4> members_;
};

}  // namespace hearth::base
