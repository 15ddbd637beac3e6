// SPDX-License-Identifier: Apache-2.0
// Delivers the committed entries of the recorder to a target outside, such as an archive or a fleet, in order, from the
// mark of the last delivery on. It has a thread of its own; nobody waits for it. A failed delivery is retried, at first
// after a second, then less often.
//
// Queue: none. Entries not yet delivered stay in history.db, as long as retention keeps them.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "base/threads/task_thread.h"
#include "recorder/follower_mark.h"
#include "recorder/log/log_tail.h"

namespace hearth::recorder {

// Where the entries go. The follower's thread calls it.
class FollowerTarget {
 public:
  virtual ~FollowerTarget() = default;
  // Returns after the entries are kept. What was delivered before may come again: after a failure, or a kill. It may
  // throw. Fails with unavailable if the target is not there.
  virtual base::Result<void> deliver(const TailPart& part) = 0;
  // Any thread. What `deliver` waits for is given up: it fails soon.
  virtual void cancel() = 0;
};

class Follower {
 public:
  struct Options {
    std::string name;      // of its mark, its thread (at most 15 bytes) and in the log
    std::size_t most = 0;  // entries delivered at once
    base::Duration longest_pause = std::chrono::minutes(1);  // after failures
  };
  struct Status {
    std::int64_t behind = 0;                    // numbers that are committed and not delivered
    std::optional<base::Timestamp> since = {};  // the time of the oldest entry that is not delivered
    std::string failure = {};                   // why the last delivery failed; empty if it did not
  };

  // The folder is the home's; the clock must outlive it.
  static base::Result<std::unique_ptr<Follower>> open(const std::filesystem::path& folder, const base::Clock& clock,
                                                      Options options, std::unique_ptr<FollowerTarget> target);
  ~Follower() { stop(); }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  void start() { thread_.start(); }
  // Saves the mark.
  void stop();

  // Any thread.
  const std::string& name() const { return options_.name; }
  // Call it after each commit. Another generation: another file is in the place of a damaged one.
  void wake(unsigned generation);
  // Up to this number of that file it needs nothing any more.
  std::int64_t followed(std::string_view history) const;
  Status status() const;

  // The thread's work; tests call it without start. Delivers the next part; false if there was none.
  base::Result<bool> deliver_next();

 private:
  Follower(std::filesystem::path history, const base::Clock& clock, Options options,
           std::unique_ptr<FollowerTarget> target, FollowerMark mark);
  base::Duration work();
  base::Result<std::int64_t> next_number();
  base::Result<void> save_mark();
  void note(const TailPart& part, const base::Result<void>& delivered);
  void failed(const base::Error& error);

  const std::filesystem::path history_;
  const base::Clock& clock_;
  const Options options_;
  const std::unique_ptr<FollowerTarget> target_;
  // Used by the thread only.
  FollowerMark mark_;
  std::optional<LogTail> tail_;
  unsigned tail_generation_ = 0;
  base::Duration pause_{0};    // after the last failure; 0 if it did not fail
  base::SteadyTime retry_at_;  // then
  base::SteadyTime saved_at_;  // the mark

  std::atomic<unsigned> generation_{0};
  mutable base::Mutex mutex_;
  LastStates::Mark delivered_ __attribute__((guarded_by(mutex_)));  // ahead of the saved one for a second at most
  Status status_ __attribute__((guarded_by(mutex_)));

  base::TaskThread thread_;  // last: it uses the others
};

}  // namespace hearth::recorder
