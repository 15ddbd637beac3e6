// SPDX-License-Identifier: Apache-2.0
// For tests: an engine in memory with messages of sites, and batches as sites make them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "fleet/batch.h"
#include "fleet/link.h"

namespace hearth::archive {

inline constexpr base::Timestamp kFleetStart{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)};
inline const std::string kEpochA(32, 'a'), kEpochB(32, 'b');

struct TestEntry {
  std::int64_t number = 0;
  std::string entity_id = "sensor.a";
  std::string value = "on";
  std::int64_t entity = 1;
  std::string attributes = "{}";
  std::optional<base::Timestamp> updated = {};  // by default a second a number
};

// As a site encodes it.
inline std::string batch_of(std::string_view site, const std::string& epoch, std::int64_t after, std::int64_t until,
                            const std::vector<TestEntry>& entries) {
  recorder::TailPart part;
  part.history = epoch;
  part.until = until;
  for (const TestEntry& each : entries) {
    recorder::TailEntry entry;
    entry.entity = each.entity;
    entry.entity_id = each.entity_id;
    entry.change.number = each.number;
    entry.change.updated = entry.change.changed =
        each.updated.value_or(kFleetStart + each.number * std::chrono::seconds(1));
    entry.change.value = each.value;
    entry.change.attributes = each.attributes;
    part.entries.push_back(entry);
  }
  return fleet::encode_batch(site, after, part).value();
}

// The numbers after the first one up to the other one, each with its number as its state.
inline std::string counted(std::string_view site, std::int64_t after, std::int64_t until,
                           const std::string& epoch = kEpochA) {
  std::vector<TestEntry> entries;
  for (std::int64_t number = after + 1; number <= until; ++number)
    entries.push_back({.number = number, .value = std::to_string(number)});
  return batch_of(site, epoch, after, until, entries);
}

// Any thread.
class TestEngine {
 public:
  std::uint64_t keep(std::string site, std::string payload, fleet::Kind kind = fleet::Kind::log) {
    base::MutexLock lock(mutex_);
    messages_.push_back({kind, std::move(site), std::move(payload), messages_.size() + 1, kFleetStart});
    return messages_.size();
  }
  // The engine was not able to keep the newest ones.
  void lose(std::size_t count) {
    base::MutexLock lock(mutex_);
    messages_.resize(messages_.size() - count);
  }
  void begin_anew(std::string name) {
    base::MutexLock lock(mutex_);
    name_ = std::move(name);
    messages_.clear();
  }
  std::string name() const {
    base::MutexLock lock(mutex_);
    return name_;
  }
  fleet::Messages read(std::uint64_t after, std::size_t most) const {
    base::MutexLock lock(mutex_);
    fleet::Messages read;
    read.until = std::min<std::uint64_t>(after, messages_.size());
    for (std::size_t i = after; i < messages_.size() && read.list.size() < most; ++i) read.list.push_back(messages_[i]);
    if (!read.list.empty()) read.until = read.list.back().place;
    read.at_end = read.until >= messages_.size();
    return read;
  }

 private:
  mutable base::Mutex mutex_;
  std::string name_ __attribute__((guarded_by(mutex_))) = "engine-1";
  std::vector<fleet::Message> messages_ __attribute__((guarded_by(mutex_)));
};

class TestReader final : public fleet::FleetReader {
 public:
  explicit TestReader(const TestEngine& engine, std::size_t most = 1'000) : engine_(engine), most_(most) {}
  base::Result<std::string> name() override { return engine_.name(); }
  base::Result<void> latest(const Take&) override { return {}; }
  base::Result<fleet::Messages> read(std::uint64_t after, std::size_t most, base::Duration) override {
    return engine_.read(after, std::min(most, most_));
  }
  void cancel() override {}

 private:
  const TestEngine& engine_;
  const std::size_t most_;
};

}  // namespace hearth::archive
