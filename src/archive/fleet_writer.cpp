// SPDX-License-Identifier: Apache-2.0
#include "archive/fleet_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "archive/batch_texts.h"
#include "base/log/log.h"

namespace hearth::archive {
namespace {

using namespace std::chrono_literals;
using base::ErrorCode;
using base::Result;

constexpr std::string_view kWriter = "archive";
constexpr base::Duration kFirstPauseOfWriter = 1s, kLongestPauseOfWriter = 2s;
constexpr base::Duration kLockPause = 2s;  // while another portal writes
constexpr base::Duration kReadPatience = 5s;
constexpr base::Duration kSayAgain = 1min;

}  // namespace

FleetWriter::FleetWriter(const base::Clock& clock, std::unique_ptr<fleet::FleetReader> reader,
                         std::unique_ptr<FleetStore> store, AskFor ask_for)
    : clock_(clock),
      reader_(std::move(reader)),
      store_(std::move(store)),
      ask_for_(std::move(ask_for)),
      thread_("archive", std::string(kWriter), {}, [this] { return work(); }) {}

void FleetWriter::stop() {
  stopping_ = true;
  reader_->cancel();
  store_->cancel();
  thread_.stop();
}

FleetWriter::Status FleetWriter::status() const {
  base::MutexLock lock(mutex_);
  return status_;
}

base::Duration FleetWriter::work() {
  const auto begun = clock_.steady_now();
  if (begun < retry_at_) return retry_at_ - begun;
  Result<bool> more = base::fail(ErrorCode::internal, "It ended by an exception.");
  try {
    more = write_next();
  } catch (const std::exception& failure) {
    more = base::fail(ErrorCode::internal, failure.what());
    store_->forget();
  }
  if (!more) {
    failed(more.error());
    return pause_;
  }
  pause_ = {};
  if (!status().holds_the_lock) return kLockPause;
  // Many messages in few transactions cost least.
  return *more ? base::Duration(0) : std::max(begun + kPace - clock_.steady_now(), base::Duration(0));
}

Result<bool> FleetWriter::hold() {
  const auto held = store_->hold();
  if (!held) store_->forget();
  bool changed;
  {
    base::MutexLock lock(mutex_);
    changed = std::exchange(status_.holds_the_lock, held && *held) != status_.holds_the_lock;
    if (!status_.holds_the_lock) status_.kept_aside = status_.gaps = 0;
    if (held && !*held) {
      status_.behind = 0;
      status_.since.reset();
      status_.failure.clear();
    }
  }
  if (changed && held)
    base::log_info(kWriter, "{}", *held ? "this portal writes to it" : "another portal writes to it");
  return held;
}

Result<bool> FleetWriter::write_next() {
  const auto held = hold();
  if (!held || !*held) return held;
  const auto engine = reader_->name();
  if (!engine) return std::unexpected(engine.error());
  if (std::exchange(engine_, *engine) != *engine) one_by_one_until_ = refused_ = 0;  // places of the other one
  const auto place = store_->place(*engine);
  if (!place) {
    store_->forget();
    return std::unexpected(place.error());
  }
  const auto messages = reader_->read(*place, kMost, kReadPatience);
  if (!messages) return std::unexpected(messages.error());
  // An engine that has lost its newest messages uses their places again.
  if (messages->until < *place) one_by_one_until_ = refused_ = 0;
  if (!messages->list.empty() || messages->until != *place) {
    std::size_t next = 0;
    do {
      const auto done = write_from(*engine, *messages, next);
      if (!done) {
        note(messages->list, next, false);
        return std::unexpected(done.error());
      }
      if (*done == next && !messages->list.empty()) return true;  // begun anew
      next = *done;
    } while (next < messages->list.size());
  }
  note(messages->list, messages->list.size(), messages->at_end);
  if (!messages->at_end) return true;
  ask_for_gaps();
  if (auto done = maintain(); !done) return std::unexpected(std::move(done.error()));
  return false;
}

// As much as there is time for until the next transaction is due.
Result<void> FleetWriter::maintain() {
  for (const auto end = clock_.steady_now() + kPace / 2; clock_.steady_now() < end && !stopping_;) {
    const auto more = store_->maintain();
    if (!more) {
      store_->forget();
      return std::unexpected(more.error());
    }
    if (!*more) break;
  }
  return {};
}

// Returns the message after the written ones; the same one if the store has to be held again.
Result<std::size_t> FleetWriter::write_from(const std::string& engine, const fleet::Messages& messages,
                                            std::size_t first) {
  auto done = write_group(engine, messages, first);
  if (done) return done;
  store_->forget();
  if (is_refused(messages, first, done.error())) return first;
  return done;
}

Result<std::size_t> FleetWriter::write_group(const std::string& engine, const fleet::Messages& messages,
                                             std::size_t first) {
  const List& list = messages.list;
  group_ = 0;
  if (auto begun = store_->begin(); !begun) return std::unexpected(std::move(begun.error()));
  std::size_t next = first;
  while (next < list.size()) {
    ++group_;
    if (auto done = write(engine, list[next]); !done) return std::unexpected(std::move(done.error()));
    const bool alone = list[next++].place <= one_by_one_until_;
    if (alone || store_->bytes() >= kGroupBytes) break;
  }
  const std::uint64_t until = next == list.size() ? messages.until : list[next - 1].place;
  if (auto done = store_->commit(engine, until); !done) return std::unexpected(std::move(done.error()));
  return next;
}

// True if one of the messages was the reason, and which one.
bool FleetWriter::is_refused(const fleet::Messages& messages, std::size_t first, const base::Error& error) {
  if (error.code != ErrorCode::invalid || group_ == 0) return false;
  const fleet::Message& last = messages.list[first + group_ - 1];
  if (group_ > 1) {
    one_by_one_until_ = last.place;
    return true;
  }
  if (refused_ == last.place) return false;  // not even kept aside
  refused_ = last.place;
  refusal_ = error.message;
  return true;
}

Result<void> FleetWriter::write(const std::string& engine, const fleet::Message& message) {
  if (message.kind != fleet::Kind::log) return {};
  if (message.place == refused_) return keep_aside(engine, message, refusal_);
  const auto batch =
      fleet::decode_batch({reinterpret_cast<const std::uint8_t*>(message.payload.data()), message.payload.size()});
  if (!batch) return keep_aside(engine, message, batch.error().message);
  if (batch->site != message.site)
    return keep_aside(engine, message, fmt::format("It says that it is of the site {}.", batch->site));
  if (const auto good = check_texts(*batch); !good) return keep_aside(engine, message, good.error().message);
  auto added = store_->add(*batch);
  if (!added && added.error().code == ErrorCode::full) return keep_aside(engine, message, added.error().message);
  return added;
}

Result<void> FleetWriter::keep_aside(const std::string& engine, const fleet::Message& message,
                                     std::string_view reason) {
  ++aside_;
  const auto now = clock_.steady_now();
  if (!aside_said_at_ || now - *aside_said_at_ >= kSayAgain) {
    aside_said_at_ = now;
    base::log_warning(kWriter, "{} messages are kept aside; the last one, of the site {}: {}", std::exchange(aside_, 0),
                      message.site, reason);
  }
  return store_->keep_aside(engine, message, reason);
}

void FleetWriter::ask_for_gaps() {
  if (!ask_for_) return;
  const auto now = clock_.steady_now();
  store_->each_gap([&](const std::string& site, const std::string& epoch, Gap& gap) {
    if (gap.asked_at && now - *gap.asked_at < kAskAgain) return;
    gap.asked_at = now;
    ask_for_(site, epoch, gap.after, gap.until);
  });
}

// After messages were written, or not: then without an end.
void FleetWriter::note(const List& list, std::size_t written, bool at_end) {
  const bool all = written == list.size();
  std::size_t gaps = 0;
  if (all) store_->each_gap([&](const std::string&, const std::string&, const Gap&) { ++gaps; });
  bool recovered = false;
  {
    base::MutexLock lock(mutex_);
    status_.kept_aside = store_->kept_aside();
    if (all) status_.gaps = gaps;
    status_.behind = list.size() - written;
    if (!all)
      status_.since = list[written].kept_at;
    else if (at_end)
      status_.since.reset();
    else if (!list.empty())
      status_.since = list.back().kept_at;
    if (all) recovered = !std::exchange(status_.failure, {}).empty();
  }
  if (recovered) base::log_info(kWriter, "it works again");
}

void FleetWriter::failed(const base::Error& error) {
  pause_ = std::clamp(2 * pause_, kFirstPauseOfWriter, kLongestPauseOfWriter);
  retry_at_ = clock_.steady_now() + pause_;
  bool fresh;
  {
    base::MutexLock lock(mutex_);
    fresh = std::exchange(status_.failure, error.message) != error.message;
    if (!status_.since) status_.since = clock_.now();
  }
  if (fresh && !stopping_) base::log_warning(kWriter, "{} It is tried again.", error.message);
}

}  // namespace hearth::archive
