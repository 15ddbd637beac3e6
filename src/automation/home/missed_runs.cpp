// SPDX-License-Identifier: Apache-2.0
#include "automation/home/missed_runs.h"

#include <fmt/format.h>

#include <charconv>

#include "automation/store/keys.h"
#include "base/json/json_fields.h"

namespace hearth::automation {

void MissedRuns::restore(const std::string& key, const json::object& entry) {
  std::uint64_t number = 0;
  std::from_chars(key.data() + keys::kMissed.size(), key.data() + key.size(), number);
  all_.push_back({base::text_at(entry, "item"), base::Timestamp(base::Duration(base::number_at(entry, "at"))),
                  base::text_at(entry, "trigger"), base::text_at(entry, "why")});
  next_ = number + 1;
}

void MissedRuns::add(MissedRun run) {
  if (journal_) {
    journal_->put(keys::missed(next_), base::to_json(json::object{{"item", run.item},
                                                                  {"at", run.at.time_since_epoch().count()},
                                                                  {"trigger", run.trigger},
                                                                  {"why", run.why}}));
  }
  ++next_;
  all_.push_back(std::move(run));
  if (all_.size() <= kMost) return;
  all_.pop_front();
  if (journal_) journal_->remove(keys::missed(next_ - 1 - all_.size()));
}

}  // namespace hearth::automation
