// SPDX-License-Identifier: Apache-2.0
#include "fleet/portal.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/text/utf8.h"

namespace hearth::fleet {
namespace {

using namespace std::chrono_literals;
using base::ErrorCode;
using base::Result;

constexpr base::Duration kCheckInterval = 1s, kReadPause = 2s, kReadPatience = 1s, kReadPace = 50ms, kAskPatience = 10s;
// A snapshot older than this is of a site that is away; what it published after it comes when it is back.
constexpr base::Duration kFreshSnapshot = 2h;

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

Portal::Portal(core::Hub& hub, std::unique_ptr<PortalLink> link)
    : hub_(hub),
      link_(std::move(link)),
      fold_("fleet", "fleet", {kMaxTasks}, [this] { return check(); }),
      reads_("fleet-read", "fleet", {1}, [this] { return read(); }),
      provides_(hub_.services.providers().add(std::string(core::kFleetIntegration), *this)) {}

void Portal::start() {
  started_ = hub_.clock.steady_now();
  know_former_sites();
  link_->hear_alive([this](std::string site, std::string payload) {
    // A lost message comes again.
    static_cast<void>(
        fold_.post([this, site = std::move(site), payload = std::move(payload)] { take_alive(site, payload); }));
  });
  fold_.start();
  reads_.start();
}

void Portal::stop() {
  {
    base::MutexLock lock(mutex_);
    stopping_ = true;
    if (reading_) reading_->cancel();
  }
  link_->hear_alive(nullptr);
  link_->cancel();
  reads_.stop();
  fold_.stop();
}

// ---- reading

base::Duration Portal::read() {
  Result<void> done = base::fail(ErrorCode::internal, "It ended by an exception.");
  try {
    done = read_next();
  } catch (const std::exception& failure) {
    done = base::fail(ErrorCode::internal, failure.what());
  }
  const std::string failure = done ? std::string() : done.error().message;
  {
    base::MutexLock lock(mutex_);
    if (stopping_) return base::TaskThread::kUntilWoken;
  }
  if (failure != read_failure_) {
    if (!failure.empty()) base::log_warning("fleet", "the fleet cannot be read: {}", failure);
    if (failure.empty()) base::log_info("fleet", "the fleet is read");
    read_failure_ = failure;
    base::MutexLock lock(mutex_);
    failure_ = failure;
  }
  if (!done) return kReadPause;
  return at_end_ ? kReadPace : base::Duration(0);
}

Result<void> Portal::read_next() {
  if (!reader_) {
    auto reader = link_->reader();
    if (!reader) return std::unexpected(std::move(reader.error()));
    base::MutexLock lock(mutex_);
    if (stopping_) return base::fail(ErrorCode::unavailable, "The hub ends.");
    reader_ = std::move(*reader);
    reading_ = reader_.get();
  }
  if (!knows_engine_) {
    const auto name = reader_->name();
    if (!name) return std::unexpected(name.error());
    if (*name != engine_) {
      if (auto begun = begin_reading(); !begun) return begun;
    }
    engine_ = *name;
    knows_engine_ = true;
  }
  auto messages = reader_->read(place_, kChunk, kReadPatience);
  if (!messages) {
    knows_engine_ = false;  // it may be another
    return std::unexpected(std::move(messages.error()));
  }
  hand_over(std::move(messages->list), !messages->at_end);
  at_end_ = messages->at_end;
  place_ = messages->until;
  return {};
}

Result<void> Portal::begin_reading() {
  struct Snapshot {
    std::uint64_t place;
    base::Timestamp kept_at;
  };
  std::vector<Snapshot> snapshots;
  base::Timestamp newest{};
  auto done = reader_->latest([&](std::vector<Message> piece) {
    for (const Message& message : piece) {
      newest = std::max(newest, message.kept_at);
      if (message.kind == Kind::snapshot) snapshots.push_back({message.place, message.kept_at});
    }
    hand_over(std::move(piece), true);
  });
  if (!done) return done;
  std::uint64_t from = UINT64_MAX;
  for (const Snapshot& snapshot : snapshots) {
    if (newest - snapshot.kept_at < kFreshSnapshot) from = std::min(from, snapshot.place - 1);
  }
  place_ = from == UINT64_MAX ? 0 : from;
  return {};
}

// One chunk is folded while the next is read.
void Portal::hand_over(std::vector<Message> messages, bool late) {
  if (messages.empty()) return;
  if (handed_over_.valid()) handed_over_.wait();
  auto done = std::make_shared<std::promise<void>>();
  handed_over_ = done->get_future();
  // A task that is refused or destroyed breaks the promise, which ends the wait, too.
  static_cast<void>(fold_.post([this, messages = std::move(messages), late, done] {
    for (const Message& message : messages) receive(message, late);
    done->set_value();
  }));
}

// ---- what is known of the sites

void Portal::know_former_sites() {
  const auto data = hub_.registry.snapshot();
  for (const auto& [id, entity] : data->entities) {
    const auto there = core::EntityId::parse(RegistryMirror::id_there(entity));
    if (core::site_of(entity).empty() || !there) continue;
    if (Site* const site = find_or_add(core::site_of(entity))) site->mirror.know(*there);
  }
}

Portal::Site* Portal::find_or_add(std::string_view name) {
  const auto found = sites_.find(name);
  if (found != sites_.end()) return &found->second;
  if (!is_site_name(name) || sites_.size() >= kMaxSites) return nullptr;
  Site& site = sites_.try_emplace(std::string(name), hub_, std::string(name)).first->second;
  site.heard = started_;
  site.forgotten = site.mirror.forgotten();
  return &site;
}

base::Duration Portal::check() {
  const auto now = hub_.clock.steady_now();
  for (auto& [name, site] : sites_) site.mirror.set_reachable(now - site.heard < kSilence);
  publish_statuses();
  return kCheckInterval;
}

void Portal::publish_statuses() {
  std::vector<SiteStatus> statuses;
  for (auto& [name, site] : sites_) {
    if (site.forgotten) continue;
    SiteStatus& status = statuses.emplace_back(site.status);
    status.reachable = site.mirror.reachable() && status.heard;
    status.silent = !site.mirror.reachable();
    status.entities = site.mirror.size();
    status.newest = site.mirror.newest();
    status.refused += site.mirror.refused();
  }
  base::MutexLock lock(mutex_);
  statuses_ = std::move(statuses);
}

void Portal::receive(const Message& message, bool late) {
  Site* const site = find_or_add(message.site);
  if (!site)
    return base::log_warning("fleet", "a message of the site {} is left out", base::utf8_excerpt(message.site));
  if (site->forgotten) return;
  Result<void> taken;
  try {
    switch (message.kind) {
      case Kind::log:
        taken = take_log(*site, message, late);
        break;
      case Kind::snapshot:
        taken = take_snapshot(*site, message);
        break;
      case Kind::registry:
        taken = take_registry(*site, message);
        break;
    }
  } catch (const std::exception& failure) {
    taken = base::fail(ErrorCode::internal, failure.what());
  }
  if (taken) {
    if (late) return;
    site->heard = hub_.clock.steady_now();
    site->status.heard = hub_.clock.now();
    return;
  }
  ++site->status.refused;
  if (site->status.problem != taken.error().message)
    base::log_warning("fleet", "a message of the site {} is left out: {}", message.site, taken.error().message);
  site->status.problem = taken.error().message;
}

namespace {

Result<void> check_name(std::string_view says, const Message& message) {
  if (says == message.site) return {};
  return base::fail(ErrorCode::invalid, fmt::format("It says that it is from {}, and comes from {}.",
                                                    base::utf8_excerpt(says), message.site));
}

}  // namespace

Result<void> Portal::take_log(Site& site, const Message& message, bool late) {
  const auto header = read_header(bytes_of(message.payload));
  if (!header) return std::unexpected(header.error());
  if (auto same = check_name(header->site, message); !same) return same;
  if (!site.mirror.wants(*header)) return {};
  const auto batch = decode_batch(bytes_of(message.payload));
  if (!batch) return std::unexpected(batch.error());
  if (!site.mirror.receive(*batch, late)) ask_for_snapshot(site);
  return {};
}

Result<void> Portal::take_snapshot(Site& site, const Message& message) {
  const auto part = decode_snapshot(message.payload);
  if (!part) return std::unexpected(part.error());
  if (auto same = check_name(part->states.site, message); !same) return same;
  if (site.mirror.receive(*part)) site.asked.reset();
  return {};
}

Result<void> Portal::take_registry(Site& site, const Message& message) {
  const auto registry = decode_registry(message.payload);
  if (!registry) return std::unexpected(registry.error());
  if (auto same = check_name(registry->site, message); !same) return same;
  site.status.name = registry->name;
  site.mirror.receive(*registry);
  return {};
}

void Portal::take_alive(const std::string& name, const std::string& payload) {
  Site* const site = find_or_add(name);
  const auto parsed = base::parse_json(payload);
  if (!site || !parsed || !parsed->is_object()) return;
  const json::object& given = parsed->get_object();
  if (base::short_text_at(given, "site") != name) return;
  SiteStatus& status = site->status;
  if (site->forgotten) {
    if (auto again = site->mirror.take_in_again(); !again)
      return base::log_warning("fleet", "the site {} cannot be added again: {}", name, again.error().message);
    site->forgotten = false;
    base::log_info("fleet", "the site {} is added again", name);
  }
  const auto now = hub_.clock.now();
  site->heard = hub_.clock.steady_now();
  status.heard = now;
  status.version = base::short_text_at(given, "version");
  status.behind = std::max<std::int64_t>(base::number_at(given, "behind"), 0);
  status.issues = base::number_at(given, "issues");
  if (const std::string title = base::short_text_at(given, "name"); !title.empty()) status.name = title;
  const base::Timestamp there{base::Duration(base::number_at(given, "time"))};
  status.clock_off = std::chrono::round<std::chrono::seconds>(there - now).count();
  const bool was_away = !site->mirror.reachable();
  site->mirror.set_reachable(true);
  // Its published changes are not all here, or it never was: then nothing would come until something changes there.
  const bool unknown =
      site->mirror.number() == 0 && base::number_at(given, "number") >= 0 && site->mirror.epoch().empty();
  if (unknown || was_away) ask_for_snapshot(*site);
}

void Portal::forget(const std::string& site, std::function<void(Result<void>)> done) {
  const auto reply = [this, done = std::move(done)](Result<void> forgotten) {
    static_cast<void>(hub_.bus.post(core::IfFull::pass, core::EventBus::kSmallTask,
                                    [done, forgotten = std::move(forgotten)] { done(forgotten); }));
  };
  const bool posted = fold_.post([this, site, reply] { reply(forget_now(site)); });
  if (!posted) reply(base::fail(ErrorCode::unavailable, "This portal has too much to do."));
}

Result<void> Portal::forget_now(const std::string& name) {
  const auto found = sites_.find(name);
  if (found == sites_.end() || found->second.forgotten)
    return base::fail(ErrorCode::not_found, fmt::format("There is no site {}.", base::utf8_excerpt(name)));
  Site& site = found->second;
  if (site.mirror.reachable() && site.status.heard) {
    return base::fail(ErrorCode::conflict,
                      fmt::format("The site {} is there; it can be removed when it has been silent for {} s.", name,
                                  std::chrono::floor<std::chrono::seconds>(kSilence).count()));
  }
  if (auto forgotten = site.mirror.forget(); !forgotten) return forgotten;
  site.forgotten = true;
  site.status = {.site = name, .name = name};
  publish_statuses();
  return {};
}

void Portal::ask_for_snapshot(Site& site) {
  const auto now = hub_.clock.steady_now();
  if (site.asked && now - *site.asked < kAskAgain) return;
  site.asked = now;
  link_->ask(site.status.site, encode_request(SendSnapshot{}), kAskPatience, [](const Result<std::string>&) {});
}

void Portal::ask_again(const std::string& site, Resend range) {
  link_->ask(site, encode_request(std::move(range)), kAskPatience, [](const Result<std::string>&) {});
}

// ---- for people

bool Portal::is_silent(std::string_view site) const {
  base::MutexLock lock(mutex_);
  const auto found = std::ranges::lower_bound(statuses_, site, {}, &SiteStatus::site);
  return found != statuses_.end() && found->site == site && found->silent;
}

std::vector<SiteStatus> Portal::sites() const {
  base::MutexLock lock(mutex_);
  return statuses_;
}

}  // namespace hearth::fleet
