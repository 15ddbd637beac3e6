// SPDX-License-Identifier: Apache-2.0
// Remembers recent events, by their contexts: each may have caused later entries of the logbook.
//
// One thread. Bound: about `most` bytes; the oldest are forgotten first.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/clock.h"
#include "core/trigger_cause.h"

namespace hearth::api {

struct LogbookCause {
  std::string event_type, domain, service, name, entity_id, message;
  core::TriggerCause trigger;  // of the run of an automation
};

class LogbookCauses {
 public:
  static constexpr std::size_t kMaxBytes = 512 * 1024;

  explicit LogbookCauses(std::size_t most = kMaxBytes) : most_(most) {}

  // By rising time. Of one context the last counts that has a name, or the last if none has.
  void put(base::Timestamp when, std::string_view context_id, LogbookCause cause);
  // Null where there is none. Valid until the next change.
  const LogbookCause* find(std::string_view context_id) const;
  void forget_before(base::Timestamp when);
  // REQUIRES: they were put in the order of time.
  void forget_after(base::Timestamp when);
  void clear();

 private:
  struct Kept {
    base::Timestamp when;
    std::string context_id;
    LogbookCause cause;
    std::size_t bytes() const;
  };
  void forget_first();

  const std::size_t most_;
  std::deque<Kept> kept_;
  std::unordered_map<std::string_view, const Kept*> by_context_;  // keys and values are of kept_
  std::size_t bytes_ = 0;
};

}  // namespace hearth::api
