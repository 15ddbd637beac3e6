// SPDX-License-Identifier: Apache-2.0
// An object's members as JSON texts, without parsed values: for callers that pass most of a text on unchanged. Much
// cheaper than parse_json and write_json, with the same result.
#pragma once

#include <boost/container/small_vector.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace hearth::base {

struct JsonMember {
  json::kind kind;
  std::string_view json;  // as write_json writes the value
  std::string_view text;  // a string's value, or a number's digits as they came (21.50); otherwise empty
};

class JsonMembers {
 public:
  JsonMembers() {}  // not defaulted: that would zero the inline members each time
  // Any JSON text; anything but an object has no members. Strict as parse_json, and fails as it does.
  static Result<JsonMembers> parse(std::string_view text);

  json::kind kind() const { return kind_; }
  // The whole, as write_json writes it.
  std::string_view json() const { return json_; }
  // REQUIRES: a key that needs no escaping. Valid until this object moves or is destroyed.
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
    Span key;   // in json_, escaped
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
