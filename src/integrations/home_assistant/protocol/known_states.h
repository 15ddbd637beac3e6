// SPDX-License-Identifier: Apache-2.0
// The states of the hub there as far as they have come, to which differences are applied. Attributes are kept as text,
// which takes a quarter of the memory of values. One thread.
//
// Bounds: kMaxEntities; kMaxText bytes of one state, and of all together kMaxBytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/text/text_map.h"
#include "integrations/home_assistant/session/news.h"

namespace hearth::integrations::home_assistant {

class KnownStates {
 public:
  static constexpr std::size_t kMaxEntities = 100'000;
  static constexpr std::size_t kMaxText = 1024 * 1024;
  static constexpr std::size_t kMaxBytes = 256 * 1024 * 1024;

  struct Known {
    std::string value;
    std::string attributes = "{}";  // an object
    base::Timestamp changed = {}, updated = {};
    OtherContext context = {};
    // Of who tells it on: in which second, how often in it, that it waits for the next one, and that it never was.
    std::int64_t second = 0;
    int told = 0;
    bool held = false, fresh = true;

    OtherState state(std::string_view entity_id) const;
    std::size_t bytes() const { return value.size() + attributes.size() + context.id.size(); }
  };

  // `accepts`: of which entities anything is kept.
  explicit KnownStates(std::function<bool(std::string_view entity_id)> accepts) : accepts_(std::move(accepts)) {}

  // Told of each entity that has another state, or is gone: null.
  using Told = std::function<void(const std::string& entity_id, Known* known)>;

  // An event of `subscribe_entities`, the answer to `get_states`, and the data of `state_changed`. False if there was a
  // difference to an entity that is not known, or one that cannot be read: all states are needed anew.
  bool apply_compressed(std::string_view event, const Told& told);
  bool apply_all(std::string_view states, const Told& told);
  bool apply_changed(std::string_view event, const Told& told);

  void clear();
  Known* find(std::string_view entity_id);
  bool empty() const { return states_.empty(); }
  std::size_t size() const { return states_.size(); }
  std::size_t bytes() const { return bytes_; }
  // In no particular order.
  void each(const std::function<void(const std::string& entity_id, Known& known)>& take);

 private:
  bool add(std::string_view key, std::string_view text, const Told& told);
  bool change(std::string_view key, std::string_view text, const Told& told);
  void remove(std::string_view entity_id, const Told& told);
  void set_whole(std::string_view text, const Told& told);
  void store(std::string entity_id, Known known, const Told& told);

  const std::function<bool(std::string_view)> accepts_;
  base::TextMap<Known> states_;
  std::size_t bytes_ = 0;
};

}  // namespace hearth::integrations::home_assistant
