// SPDX-License-Identifier: Apache-2.0
#include "base/json/json_memory.h"

namespace hearth::base {

std::size_t memory_of(const json::object& object) {
  // Besides its pairs, an object has a hash table.
  std::size_t bytes = object.capacity() * (sizeof(json::key_value_pair) + sizeof(std::uint32_t));
  for (const auto& [key, value] : object) bytes += key.size() + memory_of(value);
  return bytes;
}

std::size_t memory_of(const json::value& value) {
  switch (value.kind()) {
    case json::kind::object:
      return memory_of(value.get_object());
    case json::kind::array: {
      std::size_t bytes = value.get_array().capacity() * sizeof value;
      for (const json::value& one : value.get_array()) bytes += memory_of(one);
      return bytes;
    }
    case json::kind::string:
      return value.get_string().capacity();
    default:
      return 0;
  }
}

}  // namespace hearth::base
