// SPDX-License-Identifier: Apache-2.0
// The states of the hub there, of one connection: subscribes to them, tells all as a picture and then what changes, not
// too often of one entity. Thread `net` only.
//
// From 2022.4 on by `subscribe_entities`; before by `state_changed` and `get_states`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "integrations/home_assistant/connection/commands.h"
#include "integrations/home_assistant/protocol/known_states.h"

namespace hearth::integrations::home_assistant {

class StateFeed {
 public:
  static constexpr std::size_t kMaxBatch = 256;
  static constexpr base::Duration kAgain = std::chrono::seconds(10);
  // Changes that follow each other faster are told together; the first of them at once.
  static constexpr base::Duration kTogether = std::chrono::milliseconds(1);
  static constexpr std::size_t kFlood = 5'000;  // changes a second, for kFloodSeconds in a row
  static constexpr int kFloodSeconds = 10;

  using Tell = std::function<void(News news)>;
  // `arrived`: the first picture of the connection is there. All must outlive this.
  StateFeed(Commands& commands, const MirrorFilter& filter, int max_updates, Tell tell, std::function<void()> arrived);

  // A new connection.
  void begin();
  bool has_picture() const { return has_picture_; }
  // True if the hub there has no `subscribe_entities`.
  bool is_old() const { return old_; }
  // Tells all states that are known, and from now on what changes.
  void tell_picture(bool running);
  // New entities, and those that are gone, wait until `release`: the registry that has their identity is being listed.
  void hold() { holding_ = true; }
  void release();
  // Asks for all states anew, now or later; then they are told as a picture.
  void again();
  // Tells the state of this one once more as a change, if it is known.
  void tell_again(const std::string& entity_id);
  // Tells the changes that wait.
  void flush();
  // Counts messages of other kinds, too.
  void count(std::size_t messages) { in_second_ += messages; }
  // True if too much has come for too long.
  bool floods();

  void on_time();
  // When on_time should be called; null if nothing waits.
  std::optional<base::SteadyTime> next() const;

 private:
  void subscribe(bool with_filter);
  void subscribe_old();
  void event(std::string_view event);
  void take_picture();
  void changed(const std::string& entity_id, KnownStates::Known* known);
  void tell(const std::string& entity_id, KnownStates::Known* known);
  std::int64_t second() const;

  Commands& commands_;
  const MirrorFilter& filter_;
  const int max_updates_;
  const Tell tell_;
  const std::function<void()> arrived_;
  KnownStates states_;
  std::uint64_t subscription_ = 0;
  bool old_ = false, has_picture_ = false, told_ = false, running_ = false, holding_ = false;
  std::vector<Change> changes_;
  std::optional<base::SteadyTime> flush_at_, again_at_;
  std::optional<base::SteadyTime> asked_at_, flushed_at_;
  std::unordered_set<std::string> held_;
  std::vector<std::string> late_;  // told too often in the present second
  std::size_t skipped_ = 0;        // since the last batch
  std::int64_t counted_second_ = 0;
  std::size_t in_second_ = 0;
  int flooded_seconds_ = 0;
};

}  // namespace hearth::integrations::home_assistant
