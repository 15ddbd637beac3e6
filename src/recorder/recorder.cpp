// SPDX-License-Identifier: Apache-2.0
#include "recorder/recorder.h"

#include <pthread.h>

#include <algorithm>
#include <unordered_set>

#include "base/log/log.h"
#include "recorder/history_file_reader.h"
#include "recorder/log/history_file.h"
#include "recorder/log/logged_events.h"
#include "storage/repair.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;
using base::Result;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kAppendBatch = 1'024;
constexpr std::size_t kHurry = 8 * kAppendBatch;  // if that many wait, no rests
constexpr auto kStatesInterval = 15min;
constexpr auto kMaintenanceInterval = 10min;
constexpr auto kAfterFailure = 1min;

Result<std::unique_ptr<HistoryWriter>> open_repaired(const std::filesystem::path& file,
                                                     const HistoryWriter::Keeps& keeps) {
  auto repaired = storage::repair_if_damaged(file);
  if (!repaired) return std::unexpected(std::move(repaired.error()));
  auto writer = HistoryWriter::open(file, keeps);
  if (!writer && !*repaired) {
    // Damage that a quick look misses.
    repaired = storage::repair_if_damaged(file, storage::Depth::whole);
    if (!repaired) return std::unexpected(std::move(repaired.error()));
    if (*repaired) writer = HistoryWriter::open(file, keeps);
  }
  if (!writer) return std::unexpected(std::move(writer.error()));
  return std::make_unique<HistoryWriter>(std::move(*writer));
}

HistoryWriter::Keeps keeps(const Retention& retention) {
  return [retention](std::string_view entity_id) {
    using Kept = HistoryWriter::Kept;
    if (retention.elsewhere && retention.elsewhere(entity_id)) return Kept::nothing;
    return retention.records(entity_id) ? Kept::history : Kept::newest;
  };
}

}  // namespace

Recorder::Recorder(std::filesystem::path file, const base::Clock& clock, RecorderOptions options,
                   std::unique_ptr<HistoryWriter> writer, LastStates states)
    : file_(std::move(file)),
      clock_(clock),
      options_(std::move(options)),
      writer_(std::move(writer)),
      states_(std::move(states)) {
  rest_between_steps();
  base::MutexLock lock(mutex_);
  next_id_ = writer_->last_change() + 1;
  maintenance_due_ = SteadyClock::now() + 1min;
}

Recorder::~Recorder() {
  stop();
}

Result<std::unique_ptr<Recorder>> Recorder::open(const std::filesystem::path& folder, const base::Clock& clock,
                                                 RecorderOptions options) {
  auto states = LastStates::open(folder / kHomeDatabase);
  if (!states) return std::unexpected(std::move(states.error()));
  const auto file = folder / kHistoryDatabase;
  auto writer = open_repaired(file, keeps(options.retention));
  if (!writer) return std::unexpected(std::move(writer.error()));
  auto merged = stored_number((*writer)->database(), kMergedBefore);
  if (!merged) return std::unexpected(std::move(merged.error()));
  std::unique_ptr<Recorder> recorder(
      new Recorder(file, clock, std::move(options), std::move(*writer), std::move(*states)));
  recorder->merged_before_ = *merged;
  return recorder;
}

Result<std::size_t> Recorder::restore(core::StateMachine& states,
                                      const std::function<bool(const core::State&)>& awaited,
                                      const std::vector<core::StatePtr>& journaled) {
  std::vector<std::string> left_out;
  auto last = states_.load(states.limits(), left_out);
  if (!last) return std::unexpected(std::move(last.error()));
  const auto mark = states_.mark();
  if (!mark) return std::unexpected(mark.error());
  const std::int64_t after = mark->history == writer_->name() ? mark->change : 0;
  const base::Timestamp now = clock_.now();
  if (auto read = writer_->replay(after, now, *last, unsaved_); !read) return std::unexpected(std::move(read.error()));
  {
    // Purging may have deleted the highest numbers; a reused one would never be read back.
    base::MutexLock lock(mutex_);
    next_id_ = std::max(next_id_, after + 1);
  }
  for (const core::StatePtr& state : journaled) {
    const auto found = last->find(state->entity_id());
    const base::Timestamp updated = state->last_updated() - base::Duration(1);  // of two with one time the saved one
    if (found != last->end() && found->second && LastStates::is_newer(*found->second, updated, now)) continue;
    last->insert_or_assign(std::string(state->entity_id()), state);
    unsaved_.insert_or_assign(std::string(state->entity_id()), state);
  }
  if (!unsaved_.empty()) states_due_ = SteadyClock::now() + kStatesInterval;
  std::vector<core::StatePtr> kept;
  kept.reserve(last->size());
  for (auto& [id, state] : *last) kept.push_back(std::move(state));
  const auto too_much = states.restore(std::move(kept), awaited);
  for (const core::StatePtr& state : too_much) left_out.emplace_back(state->entity_id());
  warn_of_left_out(left_out, states.limits());
  return last->size() - too_much.size();
}

void Recorder::listen(core::EventBus& bus) {
  bus_ = &bus;
  core::EventFilter filter;
  filter.types.emplace(core::event_type::kStateChanged);
  subscriptions_.push_back(bus.listen(filter, *this, core::Pace::relaxed));
  filter.types.clear();
  for (const auto type : kLoggedEvents) filter.types.emplace(type);
  filter.types.emplace(core::event_type::kEntityRegistryUpdated);
  subscriptions_.push_back(bus.listen(filter, *this, core::Pace::relaxed));
}

void Recorder::start() {
  thread_ = std::thread([this] { run(); });
}

void Recorder::stop() {
  subscriptions_.clear();
  {
    base::MutexLock lock(mutex_);
    if (std::exchange(stopping_, true)) return;
    throttle_.hurry(true);
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
  static_cast<void>(commit());
  if (const auto saved = save_states(); !saved) failed(saved.error());
  run_requested_save();
}

void Recorder::on_event(const core::EventPtr& event) {
  LogEntry entry = entry_of(event);
  if (entry.is_gap()) return;
  entry.weight = entry.weigh();
  bool wake;
  {
    base::MutexLock lock(mutex_);
    if (queue_.size() >= max_waiting_ || queued_bytes_ >= max_waiting_bytes_) shed_overtaken_changes();
    entry.id = next_id_++;
    queued_bytes_ += entry.weight;
    if (queue_.empty()) commit_due_ = SteadyClock::now() + options_.commit_interval;
    queue_.push_back(std::move(entry));
    wake = queue_.size() == 1 || queue_.size() - appended_ == kAppendBatch;
    if (queue_.size() - appended_ == kHurry) throttle_.hurry(true);
  }
  if (wake) wake_.notify_one();
}

void Recorder::shed_overtaken_changes() {
  std::unordered_set<std::string_view> newer;
  std::deque<LogEntry> kept;
  const std::size_t before = queue_.size();
  while (queue_.size() > appended_) {
    LogEntry entry = std::move(queue_.back());
    queue_.pop_back();
    if (entry.state && newer.insert(entry.state->entity_id()).second)
      kept.push_front(std::move(entry));
    else
      queued_bytes_ -= entry.weight;
  }
  for (auto& entry : kept) queue_.push_back(std::move(entry));
  const std::size_t dropped = before - queue_.size();
  if (dropped > 0 && health_.dropped == 0)
    base::log_error("recorder", "too many changes wait to be saved: the oldest are dropped");
  health_.dropped += dropped;
  // Enough room that scanning all of them again pays off.
  max_waiting_ = std::max(kMaxWaiting, 2 * queue_.size());
  max_waiting_bytes_ = std::max(kMaxWaitingBytes, 2 * queued_bytes_);
}

void Recorder::when_committed(std::size_t weight, Done done) {
  const auto look = [this, done = std::move(done)] {
    Result<void> saved =
        base::fail(base::ErrorCode::unavailable, "The change is in force, but too many wait to be saved.");
    {
      base::MutexLock lock(mutex_);
      if (queue_.empty()) {
        saved = {};
      } else if (waiters_.size() < kMaxWaiters) {
        waiters_.push_back({next_id_ - 1, done});
        throttle_.hurry(true);
        return;
      }
    }
    done(saved);
  };
  static_cast<void>(bus_->post(core::IfFull::pass, core::EventBus::kSmallTask + weight, look));
}

void Recorder::run() {
  pthread_setname_np(pthread_self(), "recorder");
  for (Step step; (step = next_step()) != Step::stop;) {
    try {
      act(step);
    } catch (const std::exception& failure) {
      // Exceptions of libraries, such as bad_alloc.
      failed({base::ErrorCode::internal, failure.what()});
    }
  }
}

void Recorder::act(Step step) {
  if (step == Step::commit) {
    static_cast<void>(commit());
  } else if (step == Step::append) {
    if (auto done = append_waiting(kAppendBatch); !done) failed(done.error());
  } else if (step == Step::save) {
    run_requested_save();
  } else {
    {
      base::MutexLock lock(mutex_);
      maintenance_due_ = SteadyClock::now() + kAfterFailure;
    }
    const auto more = maintain();
    if (!more) return failed(more.error());
    writer_->database().release_memory();
    base::MutexLock lock(mutex_);
    const bool again = *more || !purges_.empty();  // one may have arrived meanwhile
    maintenance_due_ = SteadyClock::now() + (again ? 0min : kMaintenanceInterval);
  }
}

Recorder::Step Recorder::next_step() {
  base::MutexLock lock(mutex_);
  for (;;) {
    if (stopping_) return Step::stop;
    throttle_.hurry(immediate() || !saves_.empty() || !waiters_.empty() || queue_.size() - appended_ >= kHurry);
    if (!saves_.empty()) return Step::save;
    const auto now = SteadyClock::now();
    if (!queue_.empty() && now >= commit_due_) return Step::commit;
    if (!health_.failing && queue_.size() - appended_ >= kAppendBatch) return Step::append;
    if (now >= maintenance_due_) return Step::maintain;
    wake_.wait_until(mutex_, queue_.empty() ? maintenance_due_ : std::min(maintenance_due_, commit_due_));
  }
}

Result<void> Recorder::append_waiting(std::size_t most) {
  if (auto opened = open_writer(); !opened) return opened;
  // Entries stay in place: those that were appended are not dropped, and are removed only when committed or overtaken.
  std::vector<LogEntry*> batch, overtaken;
  while (most > 0) {
    batch.clear();
    overtaken.clear();
    {
      base::MutexLock lock(mutex_);
      const std::size_t count = std::min({queue_.size() - appended_, kAppendBatch, most});
      for (; batch.size() < count; ++appended_) batch.push_back(&queue_[appended_]);
    }
    if (batch.empty()) return {};
    most -= batch.size();
    for (LogEntry* const entry : batch) {
      if (entry->is_gap()) continue;  // since a failed transaction
      const auto before = writer_->append(*entry);
      if (!before) return std::unexpected(before.error());
      if (*before) overtaken.push_back(*before);
    }
    drop_overtaken_entries(overtaken);
  }
  return {};
}

// Overtaken changes without history are not needed any more, whether the transaction succeeds or not: otherwise a busy
// home without history would hold everything since the last commit.
void Recorder::drop_overtaken_entries(const std::vector<LogEntry*>& overtaken) {
  std::vector<LogEntry> gone;  // destroyed without the lock
  gone.reserve(overtaken.size());
  base::MutexLock lock(mutex_);
  for (LogEntry* const entry : overtaken) {
    LogEntry gap;
    gap.id = entry->id;
    gone.push_back(std::exchange(*entry, std::move(gap)));
    queued_bytes_ -= gone.back().weight;
  }
  for (; appended_ > 0 && queue_.front().is_gap(); --appended_, ++overtaken_) queue_.pop_front();
}

Result<void> Recorder::commit() {
  std::size_t count;
  {
    base::MutexLock lock(mutex_);
    count = queue_.size();  // what arrives from now on waits for the next turn
    count -= appended_;
  }
  auto done = append_waiting(count);
  if (done) done = writer_->commit();
  if (!done) {
    failed(done.error());
    return done;
  }
  committed();
  return {};
}

void Recorder::committed() {
  std::vector<LogEntry> entries;
  std::vector<Waiter> ready;
  {
    base::MutexLock lock(mutex_);
    const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(appended_);
    entries.assign(std::move_iterator(queue_.begin()), std::move_iterator(end));
    queue_.erase(queue_.begin(), end);
    appended_ = 0;
    max_waiting_ = kMaxWaiting;
    max_waiting_bytes_ = kMaxWaitingBytes;
    for (const LogEntry& entry : entries) queued_bytes_ -= entry.weight;
    const std::int64_t open = queue_.empty() ? next_id_ : queue_.front().id;
    const auto waiting = std::ranges::partition(waiters_, [&](const Waiter& waiter) { return waiter.after < open; });
    ready.assign(std::move_iterator(waiters_.begin()), std::move_iterator(waiting.begin()));
    waiters_.erase(waiters_.begin(), waiting.begin());
    commit_due_ = SteadyClock::now() + options_.commit_interval;
    health_.last_commit = clock_.now();
    health_.committed += entries.size() + std::exchange(overtaken_, 0);
    if (pack_due()) maintenance_due_ = SteadyClock::now();
  }
  for (const Waiter& waiter : ready) waiter.done({});
  if (followers_.committed) followers_.committed(generation());
  if (!entries.empty() && unsaved_.empty()) states_due_ = SteadyClock::now() + kStatesInterval;
  for (LogEntry& entry : entries) {
    if (!entry.is_change()) continue;
    const auto known = unsaved_.find(entry.state->entity_id());
    core::StatePtr& state = known != unsaved_.end() ? known->second : unsaved_[std::string(entry.state->entity_id())];
    state = entry.is_removal() ? nullptr : std::move(entry.state);
  }
  succeeded();
}

void Recorder::rest_between_steps() {
  writer_->database().while_running([this] { throttle_.rest_if_due(); });
}

// A damaged file is replaced by what can be read of it; readers reopen it.
Result<void> Recorder::open_writer() {
  if (writer_) return {};
  auto repaired = storage::repair_if_damaged(file_, storage::Depth::whole);
  if (!repaired) return std::unexpected(std::move(repaired.error()));
  auto writer = HistoryWriter::open(file_, keeps(options_.retention));
  if (!writer) return std::unexpected(std::move(writer.error()));
  writer_ = std::make_unique<HistoryWriter>(std::move(*writer));
  rest_between_steps();
  generation_.fetch_add(1, std::memory_order_release);
  return {};
}

Recorder::Waiting Recorder::waiting_piece(std::int64_t number) const {
  const auto behind = [&]() __attribute__((requires_capability(mutex_))) {
    const auto begin = std::ranges::upper_bound(queue_, number, {}, &LogEntry::id);
    return std::ranges::subrange(begin, begin + std::min<std::ptrdiff_t>(kWaitingPiece, queue_.end() - begin));
  };
  Waiting waiting;
  std::size_t size;
  {
    base::MutexLock lock(mutex_);
    size = behind().size();
  }
  waiting.entries.reserve(size + 16);  // not under the lock; some more may arrive meanwhile
  base::MutexLock lock(mutex_);
  if (queue_.empty()) return waiting;
  const auto entries = behind();
  waiting.entries.assign(entries.begin(), entries.end());
  waiting.first = queue_.front().id;
  waiting.last = queue_.back().id;
  waiting.count = queue_.size();
  return waiting;
}

Recorder::Waiting Recorder::waiting_after(std::int64_t number) const {
  Waiting waiting = waiting_piece(number);
  while (!waiting.entries.empty() && waiting.entries.back().id < waiting.last) {
    Waiting piece = waiting_piece(waiting.entries.back().id);
    if (piece.entries.empty()) break;
    std::ranges::move(piece.entries, std::back_inserter(waiting.entries));
  }
  return waiting;
}

}  // namespace hearth::recorder
