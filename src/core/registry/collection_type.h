// SPDX-License-Identifier: Apache-2.0
// The collections that people change by the commands <name>/list, create, update and delete, and the fields of their
// items. Any thread.
#pragma once

#include <span>
#include <string_view>

#include "base/json/json.h"
#include "base/result.h"
#include "core/values/service_field.h"

namespace hearth::core {

struct CollectionField {
  Field field;
  Example otherwise = {};  // its value in a new item that does not name it; null: none
};

struct CollectionType {
  std::string_view name;    // zone
  std::string_view id_key;  // of an item in a command: zone_id
  std::span<const CollectionField> fields;
  bool names_itself = false;  // a new item may bring its id, such as a tag that was printed before
  // Rules between fields. Fails with invalid; the message names the field.
  base::Result<void> (*check)(const json::object& fields) = nullptr;
  std::string_view domain = name;  // of the entities that its items are, if they are any

  // The fields of a new item, or of one with `former` after a change that names some. Null takes away what is not
  // required. Fails with invalid; the message names the field.
  base::Result<json::object> fields_of(const json::object& given, const json::object* former = nullptr) const;
};

// Null if there is none.
const CollectionType* find_collection_type(std::string_view name);

}  // namespace hearth::core
