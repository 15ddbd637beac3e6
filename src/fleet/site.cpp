// SPDX-License-Identifier: Apache-2.0
#include "fleet/site.h"

#include <fmt/format.h>

#include "base/log/log.h"
#include "base/random_id.h"
#include "fleet/batch.h"
#include "fleet/site_registry.h"
#include "fleet/snapshot.h"
#include "recorder/log/history_file.h"
#include "recorder/log/log_tail.h"

namespace hearth::fleet {
namespace {

using namespace std::chrono_literals;
using base::ErrorCode;
using base::Result;

constexpr base::Duration kTick = 1s, kPause = 10s;

bool is_too_large(const base::Error& error) {
  return error.code == ErrorCode::invalid;
}

}  // namespace

class Site::Target final : public recorder::FollowerTarget {
 public:
  explicit Target(Site& site) : site_(site) {}
  Result<void> deliver(const recorder::TailPart& given) override {
    recorder::TailPart part = given;
    site_.leave_out_unpublished(part);
    base::MutexLock lock(site_.publishing_);
    // Numbers that nothing has are in the next batch's span.
    const std::int64_t after = history_ == part.history ? until_ : part.after;
    if (auto done = site_.publish(after, part); !done) return done;
    history_ = part.history;
    until_ = part.until;
    site_.published_.store(until_, std::memory_order_relaxed);
    return {};
  }
  void cancel() override { site_.link_->cancel(); }

 private:
  Site& site_;
  std::string history_;     // what was published last: the part of this file …
  std::int64_t until_ = 0;  // … up to this number
};

Site::Site(core::Hub& hub, std::filesystem::path folder, SiteOptions options, std::unique_ptr<SiteLink> link)
    : hub_(hub),
      history_(std::move(folder) / recorder::kHistoryDatabase),
      options_(std::move(options)),
      link_(std::move(link)),
      thread_("fleet", "fleet", {kMaxCalls}, [this] { return work(); }) {}

std::unique_ptr<recorder::FollowerTarget> Site::target() {
  return std::make_unique<Target>(*this);
}

void Site::start() {
  link_->answer([this](std::string request, SiteLink::Reply reply) { receive(std::move(request), std::move(reply)); });
  thread_.start();
}

void Site::stop() {
  link_->answer(nullptr);
  link_->cancel();
  thread_.stop();
}

std::string Site::failure() const {
  base::MutexLock lock(mutex_);
  return failure_;
}

void Site::leave_out_unpublished(recorder::TailPart& part) const {
  if (!options_.published) return;
  std::erase_if(part.entries, [this](const recorder::TailEntry& entry) {
    return !entry.is_event() && !options_.published(entry.entity_id);
  });
}

Result<void> Site::publish(std::int64_t after, const recorder::TailPart& part, std::string_view again) {
  auto batch = encode_batch(options_.name, after, part);
  auto kept =
      batch ? link_->publish(Kind::log, 0,
                             message_id(options_.name, part.history, after, part.until) + std::string(again), *batch)
            : Result<void>(std::unexpected(batch.error()));
  const bool too_large = !kept && (!batch || is_too_large(kept.error()));
  if (!too_large) return kept;
  if (part.entries.size() <= 1) {
    base::log_warning("fleet", "a change of {} is not published: {}",
                      part.entries.empty() ? "nothing" : part.entries.front().entity_id, kept.error().message);
    const recorder::TailPart nothing{part.history, part.after, {}, part.until, part.at_end, {}};
    return part.entries.empty() ? kept : publish(after, nothing, again);
  }
  const auto middle = part.entries.begin() + static_cast<std::ptrdiff_t>(part.entries.size() / 2);
  const std::int64_t split = std::prev(middle)->change.number;
  const recorder::TailPart first{part.history, part.after, {part.entries.begin(), middle}, split, false, part.texts};
  const recorder::TailPart second{part.history, split, {middle, part.entries.end()}, part.until, false, part.texts};
  if (auto done = publish(after, first, again); !done) return done;
  return publish(split, second, again);
}

base::Duration Site::work() {
  const auto now = hub_.clock.steady_now();
  if (now - alive_at_ >= kAliveInterval) {
    alive_at_ = now;
    publish_alive();
  }
  if (now < retry_at_) return kTick;
  const auto data = hub_.registry.snapshot();
  if (data->version == registry_version_) {
    changed_at_.reset();
  } else if (!changed_at_) {
    changed_at_ = now;
  } else if (now - *changed_at_ >= kRegistryPause) {
    changed_at_.reset();
    note(publish_registry(*data, false));
  }
  bool wanted;
  std::optional<Resend> range;
  {
    base::MutexLock lock(mutex_);
    wanted = std::exchange(wants_snapshot_, false);
    if (!resends_.empty()) range = resends_.front();
  }
  if (wanted || now - snapshot_at_ >= kSnapshotInterval) {
    snapshot_at_ = now;
    // A portal that asks for a snapshot needs to know the entities, too.
    auto done = publish_registry(*data, wanted);
    if (done) done = publish_snapshot();
    if (!done) {
      base::MutexLock lock(mutex_);
      wants_snapshot_ = true;
    }
    note(done);
  }
  if (range && now >= retry_at_) {
    const auto done = resend(*range);
    note(done);
    if (done) {
      base::MutexLock lock(mutex_);
      if (!resends_.empty()) resends_.pop_front();
    }
  }
  return kTick;
}

void Site::note(const Result<void>& done) {
  if (!done) retry_at_ = hub_.clock.steady_now() + kPause;
  std::string before;
  {
    base::MutexLock lock(mutex_);
    before = std::exchange(failure_, done ? std::string() : done.error().message);
  }
  if (!done && before != done.error().message)
    base::log_warning("fleet", "{} It is tried again.", done.error().message);
}

void Site::publish_alive() {
  const auto config = hub_.config.load();
  const auto status = follower_ ? follower_->status() : recorder::Follower::Status{};
  const auto now = hub_.clock.now();
  const auto behind = status.since ? std::chrono::floor<std::chrono::seconds>(now - *status.since).count() : 0;
  const auto issues = hub_.repairs.list();
  link_->publish_alive(
      base::to_json(json::object{{"format", 1},
                                 {"site", options_.name},
                                 {"name", config->location_name},
                                 {"version", config->version},
                                 {"number", published_.load(std::memory_order_relaxed)},
                                 {"behind", behind},
                                 {"issues", static_cast<std::int64_t>(issues->size())},
                                 {"entities", static_cast<std::int64_t>(hub_.states.snapshot()->size())},
                                 {"time", now.time_since_epoch().count()}}));
}

Result<void> Site::publish_registry(const core::RegistryData& data, bool again) {
  SiteRegistry made = registry_of(options_.name, hub_.config.load()->location_name, data);
  if (options_.published)
    std::erase_if(made.entities, [this](const auto& each) { return !options_.published(each.first); });
  std::string bytes = encode_registry(made);
  if (again || bytes != registry_) {
    base::MutexLock lock(publishing_);
    if (auto kept = link_->publish(Kind::registry, 0, base::make_random_id(), bytes); !kept) return kept;
    registry_ = std::move(bytes);
  }
  registry_version_ = data.version;
  return {};
}

Result<void> Site::publish_snapshot() {
  base::MutexLock lock(publishing_);
  auto tail = recorder::LogTail::open(history_);
  if (!tail) return std::unexpected(std::move(tail.error()));
  // The states are taken after the number: they have everything up to it.
  const auto as_of = tail->last_number();
  if (!as_of) return std::unexpected(as_of.error());
  const auto table = hub_.states.snapshot();
  std::vector<const core::State*> states;
  table->for_each([&](const core::State& state) {
    if (!options_.published || options_.published(state.entity_id())) states.push_back(&state);
  });
  const auto parts = encode_snapshot(options_.name, tail->history(), *as_of, states);
  if (!parts) return std::unexpected(parts.error());
  for (std::size_t i = 0; i < parts->size(); ++i) {
    if (auto kept = link_->publish(Kind::snapshot, i, base::make_random_id(), (*parts)[i]); !kept) return kept;
  }
  return {};
}

Result<void> Site::resend(const Resend& range) {
  auto tail = recorder::LogTail::open(history_);
  if (!tail) return std::unexpected(std::move(tail.error()));
  // The asker has not got it, even if the engine would say that it knows this batch.
  const std::string again = "-" + base::make_random_id();
  if (tail->history() != range.epoch) {
    base::log_warning("fleet",
                      "a portal is missing the changes {} to {}: they are lost, because the history was replaced here",
                      range.after + 1, range.until);
    // Otherwise it would ask for ever.
    base::MutexLock lock(publishing_);
    return publish(range.after, {range.epoch, range.after, {}, range.until, false, {}}, again);
  }
  for (std::int64_t after = range.after; after < range.until;) {
    auto part = tail->read(after, kMaxBatch);
    if (!part) return std::unexpected(std::move(part.error()));
    if (part->until == after) return {};
    leave_out_unpublished(*part);
    base::MutexLock lock(publishing_);
    if (auto kept = publish(after, *part, again); !kept) return kept;
    after = part->until;
  }
  return {};
}

}  // namespace hearth::fleet
