// SPDX-License-Identifier: Apache-2.0
// The entries of automations, scripts, template entities and derived sensors in the journal, which survive a restart.
// Entries of the last run of the hub stay there until their owners restore them. Bus thread only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json.h"
#include "core/journal.h"

namespace hearth::automation {

class TriggerNotes;

// The newest of its kind at each place, which receives what the one before it had.
template <class T>
class ByPlace {
 public:
  // Returns the one before it; null if there was none.
  T* replace(const std::string& place, T* newest) { return std::exchange(all_[place], newest); }
  // It is destroyed. Another may have replaced it.
  void leave(const std::string& place, const T* one) {
    const auto known = all_.find(place);
    if (known != all_.end() && known->second == one) all_.erase(known);
  }

 private:
  std::map<std::string, T*> all_;
};

class Store {
 public:
  using Entries = std::map<std::string, json::object, std::less<>>;

  // Once: what is put is written from now on, before that nothing survives. The journal must outlive this.
  void use(core::Journal& journal, const core::Journal::Entries& entries);
  // True if anything survives.
  bool is_durable() const { return journal_ != nullptr; }
  // The hub ends: what is put and forgotten from now on does not count, so that it goes on after the next start.
  void stop() { stopping_ = true; }
  bool is_stopping() const { return stopping_; }

  void put(std::string key, std::string text) const;
  void forget(std::string_view key) const;
  // The state is there after a restart, too: it caused what is put after this, or was caused by it.
  void keep(const core::StatePtr& state) const;
  // Calls `written` once all that was put is in the file; at once if nothing survives.
  void when_written(std::function<void()> written) const;

  // The entries that the last run of the hub left, without those that have been extracted.
  const Entries& left() const { return left_; }
  std::optional<json::object> extract(std::string_view key);
  // The entries whose keys begin so, by the rest of the key.
  Entries extract_all(std::string_view prefix);
  // Entries whose keys begin so belong to others than automations and scripts: clear() leaves them.
  void leave_to_others(std::string_view prefix) { of_others_.emplace_back(prefix); }
  bool is_of_others(std::string_view key) const;
  // Nobody comes for the rest any more.
  void clear();

  // For one of the others, who looks at its entries more than once: what is left, or was replaced since.
  const json::object* find(std::string_view key) const;
  void replace(std::string key, json::object entry);
  void remove(std::string_view key);

  ByPlace<TriggerNotes> trigger_notes;

 private:
  core::Journal* journal_ = nullptr;
  Entries left_;
  std::vector<std::string> of_others_;
  bool stopping_ = false;
};

}  // namespace hearth::automation
