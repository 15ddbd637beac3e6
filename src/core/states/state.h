// SPDX-License-Identifier: Apache-2.0
// The state of an entity at one moment. Immutable; contains its JSON, written once. Any thread.
// One block of memory holds the object and, after it, the text: a home has many states, and each write makes one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json/json.h"
#include "core/bus/context.h"
#include "core/values/entity_id.h"

namespace hearth::core {

class State;
using StatePtr = std::shared_ptr<const State>;

class State {
 public:
  struct Times {
    base::Timestamp last_changed;
    base::Timestamp last_updated;
  };

  // `attributes_json` is a JSON object as base::write_json writes it.
  static StatePtr create(const EntityId& id, std::string_view value, std::string_view attributes_json, Times times,
                         const Context& context);

  std::string_view entity_id() const { return part(kIdStart, id_length_); }
  std::string_view domain() const { return entity_id().substr(0, entity_id().find('.')); }
  std::string_view value() const { return part(value_start_, value_length_); }
  std::string_view attributes_json() const { return part(attributes_start_, attributes_length_); }
  json::object attributes() const;  // parsed at each call
  base::Timestamp last_changed() const { return times_.last_changed; }
  base::Timestamp last_updated() const { return times_.last_updated; }
  Context context() const;

  // The whole object, including the context.
  std::string_view json() const { return part(0, json_length_); }
  // The form for lists without its closing brace: the same bytes up to the context.
  std::string_view list_json_open() const { return part(0, list_length_); }

  std::size_t list_json_size() const { return list_length_ + 1; }  // including the brace

 private:
  // Private, because a copy would lack the text.
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::string_view part(std::uint32_t start, std::uint32_t length) const {
    return {reinterpret_cast<const char*>(this + 1) + start, length};
  }

  static constexpr std::size_t kIdStart = 14;  // after {"entity_id":"

  Times times_;
  std::uint32_t json_length_;
  std::uint32_t list_length_;
  std::uint32_t id_length_;
  std::uint32_t value_start_;  // within the JSON if the value needs no escaping, otherwise after it
  std::uint32_t value_length_;
  std::uint32_t attributes_start_;
  std::uint32_t attributes_length_;
};

// States of an entity that its integration cannot reach, and of one that has not reported yet.
constexpr std::string_view kUnavailable = "unavailable";
constexpr std::string_view kUnknown = "unknown";

}  // namespace hearth::core
