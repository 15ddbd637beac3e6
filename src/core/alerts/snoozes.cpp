// SPDX-License-Identifier: Apache-2.0
#include "core/alerts/snoozes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>

namespace hearth::core {
namespace {

constexpr std::string_view kUntil = "until", kSince = "since";  // microseconds since 1970
// Two of a user's pages write at the same time: the later one reads again.
constexpr int kAttempts = 5;

std::optional<base::Timestamp> time_of(const json::value& snooze, std::string_view key) {
  const json::object* const object = snooze.if_object();
  const json::value* const time = object ? object->if_contains(key) : nullptr;
  if (!time || !time->is_int64()) return std::nullopt;
  return base::Timestamp(base::Duration(time->get_int64()));
}

// Null if it is over. A snooze that would last for longer than it may is from a clock that was wrong.
std::optional<base::Timestamp> end_of(const json::value& snooze, base::Timestamp now) {
  const auto until = time_of(snooze, kUntil);
  if (!until || *until <= now || *until - now > kSnooze + StateMachine::kWrongClock) return std::nullopt;
  return until;
}

json::object without_ended(const json::object& snoozes, base::Timestamp now) {
  json::object kept;
  for (const auto& [id, snooze] : snoozes)
    if (end_of(snooze, now)) kept[id] = snooze;
  return kept;
}

base::Result<void> edit(Registry& registry, const std::string& user_id, base::Timestamp now, const Context& context,
                        IfFull if_full, const std::function<base::Result<void>(json::object& snoozes)>& change) {
  const std::string collection(kAlertSnoozes);
  base::Result<void> done;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto data = registry.snapshot();
    const Item* const item = data->find_item(collection, user_id);
    json::object snoozes = item ? without_ended(item->fields, now) : json::object();
    if (auto changed = change(snoozes); !changed) return changed;
    if (item ? snoozes == item->fields : snoozes.empty()) return {};
    const auto ignore_item = [&](const base::Result<Item>& written) {
      done = written ? base::Result<void>() : std::unexpected(written.error());
    };
    if (!item)
      ignore_item(registry.create_item(collection, user_id, std::move(snoozes), context, if_full));
    else if (snoozes.empty())
      done = registry.delete_items(collection, {&user_id, 1}, context, if_full);
    else
      ignore_item(registry.update_item(collection, user_id, std::move(snoozes), item->revision, context, if_full));
    const bool overtaken =
        !done && (done.error().code == base::ErrorCode::conflict || done.error().code == base::ErrorCode::not_found);
    if (!overtaken) return done;
  }
  return done;
}

}  // namespace

std::optional<base::Timestamp> snoozed_until(const RegistryData& registry, std::string_view user_id, const Alert& alert,
                                             base::Timestamp now) {
  const Item* const item = registry.find_item(kAlertSnoozes, user_id);
  const json::value* const snooze = item ? item->fields.if_contains(alert.id) : nullptr;
  if (!snooze) return std::nullopt;
  if (alert.rule->grade == AlertRule::Grade::danger && time_of(*snooze, kSince) != alert.since) return std::nullopt;
  return end_of(*snooze, now);
}

base::Result<void> snooze(Registry& registry, const std::string& user_id, const AlertList& alerts, base::Timestamp now,
                          const Context& context) {
  return edit(registry, user_id, now, context, IfFull::fail, [&](json::object& snoozes) -> base::Result<void> {
    for (const AlertPtr& alert : alerts) {
      snoozes[alert->id] = json::object{{kUntil, (now + kSnooze).time_since_epoch().count()},
                                        {kSince, alert->since.time_since_epoch().count()}};
    }
    if (snoozes.size() <= kMaxSnoozed) return {};
    return base::fail(base::ErrorCode::full,
                      fmt::format("alert_ids: a user may have at most {} alerts snoozed at a time.", kMaxSnoozed));
  });
}

base::Result<void> unsnooze(Registry& registry, const std::string& user_id, const std::vector<std::string>& ids,
                            base::Timestamp now, const Context& context) {
  return edit(registry, user_id, now, context, IfFull::fail, [&](json::object& snoozes) -> base::Result<void> {
    for (const std::string& id : ids) snoozes.erase(id);
    return {};
  });
}

std::optional<base::Timestamp> next_end(const RegistryData& registry) {
  std::optional<base::Timestamp> next;
  for (const Item* const item : registry.items_of(kAlertSnoozes)) {
    for (const auto& [id, snooze] : item->fields) {
      const base::Timestamp end = time_of(snooze, kUntil).value_or(base::Timestamp());
      if (!next || end < *next) next = end;
    }
  }
  return next;
}

void forget_ended(Registry& registry, base::Timestamp now) {
  const auto data = registry.snapshot();
  for (const Item* const item : data->items_of(kAlertSnoozes)) {
    // If that fails, the next end is tried with the next change.
    static_cast<void>(edit(registry, item->id, now, Context::create(now), IfFull::pass,
                           [](json::object&) -> base::Result<void> { return {}; }));
  }
}

}  // namespace hearth::core
