// SPDX-License-Identifier: Apache-2.0
// An entity's id, `<domain>.<object_id>`: lower case, one dot, each side [a-z0-9]+(_[a-z0-9]+)*, the domain at most 64
// and the whole at most 255 characters (contract, States: id rule).
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::core {

class EntityId {
 public:
  // Lower-cases first. Fails with invalid: `Invalid entity ID specified.`
  static base::Result<EntityId> parse(std::string_view text);

  std::string_view str() const { return text_; }
  std::string_view domain() const { return std::string_view(text_).substr(0, dot_); }
  std::string_view object_id() const { return std::string_view(text_).substr(dot_ + 1); }

  bool operator==(const EntityId& other) const { return text_ == other.text_; }
  auto operator<=>(const EntityId& other) const { return text_ <=> other.text_; }

 private:
  EntityId(std::string text, std::size_t dot) : text_(std::move(text)), dot_(dot) {}

  std::string text_;
  std::size_t dot_;
};

// ASCII only, as ids are: the form used for lookups of domains, services and entities.
std::string lower_case(std::string_view text);

// [a-z0-9]+(_[a-z0-9]+)*, as each side of an entity id.
bool is_slug(std::string_view text);

// The nearest slug of a name: "Front door" → "front_door". Empty if the name has no usable character.
std::string slugify(std::string_view name);

}  // namespace hearth::core
