// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/connection/state_feed.h"

#include <algorithm>
#include <utility>

namespace hearth::integrations::home_assistant {
namespace {

// Rules by ids and names of entities decide here; others need the registry, which the mirror has.
bool needs_registry(const MirrorFilter::Rule& rule) {
  return !rule.areas.empty() || !rule.labels.empty() || !rule.devices.empty() || !rule.integrations.empty();
}

std::function<bool(std::string_view)> accepting(const MirrorFilter& filter) {
  if (needs_registry(filter.include) || needs_registry(filter.exclude)) return [](std::string_view) { return true; };
  return [&filter](std::string_view entity_id) { return filter.includes({.entity_id = entity_id}); };
}

}  // namespace

StateFeed::StateFeed(Commands& commands, const MirrorFilter& filter, int max_updates, Tell tell,
                     std::function<void()> arrived)
    : commands_(commands),
      filter_(filter),
      max_updates_(max_updates),
      tell_(std::move(tell)),
      arrived_(std::move(arrived)),
      states_(accepting(filter)) {}

std::int64_t StateFeed::second() const {
  return std::chrono::floor<std::chrono::seconds>(commands_.now().time_since_epoch()).count();
}

void StateFeed::begin() {
  states_.clear();
  old_ = has_picture_ = told_ = running_ = holding_ = false;
  changes_.clear();
  held_.clear();
  late_.clear();
  flush_at_.reset();
  again_at_.reset();
  asked_at_.reset();
  flooded_seconds_ = 0;
  in_second_ = 0;
  subscribe(true);
}

void StateFeed::subscribe(bool with_filter) {
  asked_at_ = commands_.now();
  json::object command = with_filter ? filter_fields(filter_, false) : json::object();
  const bool filtered = !command.empty();
  command["type"] = "subscribe_entities";
  has_picture_ = false;
  subscription_ = commands_.follow(
      std::move(command), [this](std::string_view event) { this->event(event); },
      [this, filtered](const Incoming& answer) {
        if (answer.success) return;
        subscription_ = 0;
        if (error_code(answer) == "unknown_command") return subscribe_old();
        if (filtered) return subscribe(false);
        subscribe_old();
      });
}

void StateFeed::subscribe_old() {
  old_ = true;
  has_picture_ = false;
  asked_at_ = commands_.now();
  if (subscription_ != 0) commands_.unfollow(subscription_);
  subscription_ = commands_.follow(
      {{"type", "subscribe_events"}, {"event_type", "state_changed"}},
      [this](std::string_view event) {
        if (has_picture_) states_.apply_changed(event, [this](const auto& id, auto* known) { changed(id, known); });
      },
      [this](const Incoming& answer) {
        if (!answer.success) subscription_ = 0;
      });
  static_cast<void>(commands_.ask(
      {{"type", "get_states"}},
      [this](const Incoming& answer) {
        states_.clear();
        if (answer.success) states_.apply_all(answer.result, [](const auto&, auto*) {});
        take_picture();
      },
      Commands::IfLate::end_connection));
}

void StateFeed::take_picture() {
  has_picture_ = true;
  if (told_)
    tell_picture(running_);
  else
    arrived_();
}

void StateFeed::event(std::string_view event) {
  if (!has_picture_) {
    states_.clear();
    states_.apply_compressed(event, [](const auto&, auto*) {});
    return take_picture();
  }
  if (!states_.apply_compressed(event, [this](const auto& id, auto* known) { changed(id, known); })) again();
}

void StateFeed::changed(const std::string& entity_id, KnownStates::Known* known) {
  ++in_second_;
  if (!told_) return;
  if (holding_ && (!known || known->fresh)) {
    held_.insert(entity_id);
    return;
  }
  if (known) {
    if (const std::int64_t now = second(); std::exchange(known->second, now) != now) known->told = 0;
    if (++known->told > max_updates_) {
      if (std::exchange(known->held, true))
        ++skipped_;
      else
        late_.push_back(entity_id);
      return;
    }
  }
  tell(entity_id, known);
}

void StateFeed::tell(const std::string& entity_id, KnownStates::Known* known) {
  if (known) known->fresh = known->held = false;
  changes_.push_back({entity_id, known ? std::optional(known->state(entity_id)) : std::nullopt});
  if (changes_.size() >= kMaxBatch) return flush();
  if (flush_at_) return;
  const auto now = commands_.now();
  flush_at_ = flushed_at_ ? std::max(now, *flushed_at_ + kTogether) : now;
}

void StateFeed::flush() {
  flush_at_.reset();
  if (changes_.empty()) return;
  flushed_at_ = commands_.now();
  tell_(Changes{.changes = std::exchange(changes_, {}), .skipped = std::exchange(skipped_, 0)});
}

void StateFeed::tell_picture(bool running) {
  // The picture has all that waits.
  changes_.clear();
  held_.clear();
  late_.clear();
  flush_at_.reset();
  told_ = true;
  running_ = running;
  Picture picture{.states = {}, .running = running};
  picture.states.reserve(states_.size());
  states_.each([&](const std::string& entity_id, KnownStates::Known& known) {
    known.fresh = known.held = false;
    picture.states.push_back(known.state(entity_id));
  });
  tell_(std::move(picture));
}

void StateFeed::release() {
  holding_ = false;
  // First those that are gone: another may have taken their place.
  const auto held = std::exchange(held_, {});
  for (const std::string& entity_id : held) {
    if (!states_.find(entity_id)) tell(entity_id, nullptr);
  }
  for (const std::string& entity_id : held) {
    if (KnownStates::Known* const known = states_.find(entity_id)) tell(entity_id, known);
  }
}

void StateFeed::again() {
  if (!has_picture_) return;
  const auto earliest = asked_at_.value_or(base::SteadyTime()) + kAgain;
  if (commands_.now() < earliest) {
    again_at_ = earliest;
    return;
  }
  again_at_.reset();
  flush();
  if (old_) return subscribe_old();
  if (subscription_ != 0) commands_.unfollow(subscription_);
  subscribe(true);
}

void StateFeed::tell_again(const std::string& entity_id) {
  KnownStates::Known* const known = states_.find(entity_id);
  if (told_ && known && !known->fresh && !known->held) tell(entity_id, known);
}

bool StateFeed::floods() {
  const std::int64_t now = second();
  if (now != counted_second_) {
    const bool in_a_row = now == counted_second_ + 1 && in_second_ > kFlood;
    flooded_seconds_ = in_a_row ? flooded_seconds_ + 1 : 0;
    counted_second_ = now;
    in_second_ = 0;
  }
  return flooded_seconds_ >= kFloodSeconds;
}

void StateFeed::on_time() {
  const auto now = commands_.now();
  if (again_at_ && now >= *again_at_) again();
  if (!late_.empty()) {
    const std::int64_t present = second();
    for (const std::string& entity_id : std::exchange(late_, {})) {
      KnownStates::Known* const known = states_.find(entity_id);
      if (!known || !known->held) continue;
      if (known->second == present) {
        late_.push_back(entity_id);
        continue;
      }
      known->held = false;
      changed(entity_id, known);
      if (in_second_ > 0) --in_second_;  // it was counted when it came
    }
  }
  if (flush_at_ && now >= *flush_at_) flush();
}

std::optional<base::SteadyTime> StateFeed::next() const {
  std::optional<base::SteadyTime> next = flush_at_;
  const auto at = [&](base::SteadyTime time) { next = next ? std::min(*next, time) : time; };
  if (again_at_) at(*again_at_);
  if (!late_.empty()) at(base::SteadyTime(std::chrono::seconds(second() + 1)));
  return next;
}

}  // namespace hearth::integrations::home_assistant
