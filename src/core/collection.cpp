// SPDX-License-Identifier: Apache-2.0
#include "core/collection.h"

namespace hearth::core {

std::string collection_of(std::string_view domain, std::string_view registry_id) {
  std::string name(domain);
  name += '.';
  name += registry_id;
  return name;
}

std::string_view owner_of(std::string_view collection) {
  const std::size_t dot = collection.find('.');
  return dot == std::string_view::npos ? std::string_view() : collection.substr(dot + 1);
}

}  // namespace hearth::core
