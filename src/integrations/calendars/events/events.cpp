// SPDX-License-Identifier: Apache-2.0
#include "integrations/calendars/events/events.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/json/json_fields.h"
#include "base/text/timestamp.h"
#include "domains/entities/local_time.h"

namespace hearth::integrations::calendars {
namespace {

namespace series = domains::series;
using base::ErrorCode;

constexpr base::Timestamp kNever = base::Timestamp::max(), kAlways = base::Timestamp::min();
constexpr std::size_t kDaySize = 10;  // of 2026-04-20

base::Timestamp moment(std::string_view text, const std::string& zone) {
  return text.size() == kDaySize ? domains::start_of_day(text, zone) : base::parse_timestamp(text).value_or(kAlways);
}

Event made_of(domains::ics::Entry entry, const std::string& zone) {
  constexpr auto kClocks = std::chrono::days(2);  // a day's length by any two clocks
  const json::object& fields = entry.fields;
  Event event{.entry = {},
              .from = moment(base::text_view_at(fields, "start"), zone),
              .until = moment(base::text_view_at(fields, "end"), zone),
              .recurs = fields.contains(series::kRule)};
  if (event.recurs) {
    const auto length = event.until - event.from;
    const auto last = base::parse_timestamp(base::text_view_at(fields, "last"));
    event.from -= kClocks;
    event.until = last ? *last + length + kClocks : kNever;
    if (fields.contains("exceptions")) std::tie(event.from, event.until) = std::tuple(kAlways, kNever);
  }
  event.entry = std::move(entry);
  return event;
}

void sort(std::vector<Events::Found>& found) {
  std::ranges::sort(found, {}, [](const Events::Found& each) {
    return std::tie(each.occurrence.start, each.occurrence.end, each.event->entry.uid);
  });
}

}  // namespace

base::Result<PartPtr> Events::read(std::string_view text, const std::string& zone,
                                   const std::function<bool()>& goes_on) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  auto read = domains::ics::read_events(text, zone, {.events = kMaxEvents, .goes_on = goes_on});
  if (!read) return std::unexpected(std::move(read.error()));
  auto part = std::make_shared<Part>();
  part->losses = std::move(read->losses);
  part->events.reserve(read->entries.size());
  for (domains::ics::Entry& entry : read->entries) part->events.push_back(made_of(std::move(entry), zone));
  return part;
}

Events::Events(std::vector<PartPtr> parts, std::string zone, base::Timestamp now)
    : parts_(std::move(parts)), zone_(std::move(zone)) {
  std::size_t recurring = 0, more_recurring = 0, more = 0, more_losses = 0;
  for (const PartPtr& part : parts_) {
    for (const std::string& loss : part->losses) {
      if (losses_.size() < kMaxLosses)
        losses_.push_back(loss);
      else
        ++more_losses;
    }
    for (const Event& event : part->events) {
      const bool costs = event.recurs && event.until > now;
      if (events_.size() == kMaxEvents)
        ++more;
      else if (costs && recurring == kMaxRecurring)
        ++more_recurring;
      else
        events_.push_back(&event);
      recurring += costs && recurring < kMaxRecurring;
    }
  }
  if (more_losses > 0) losses_.push_back(fmt::format("and {} more lines like these", more_losses));
  if (more > 0) losses_.push_back(fmt::format("there are {} events more than {}; they are left out", more, kMaxEvents));
  if (more_recurring > 0) {
    losses_.push_back(
        fmt::format("there are {} recurring events more than {}; they are left out", more_recurring, kMaxRecurring));
  }
}

const Event* Events::find(std::string_view uid) const {
  const auto found =
      std::ranges::find(events_, uid, [](const Event* each) { return std::string_view(each->entry.uid); });
  return found == events_.end() ? nullptr : *found;
}

base::Result<std::vector<Events::Found>> Events::between(base::Timestamp after, base::Timestamp before) const {
  std::vector<Found> found;
  for (const Event* const event : events_) {
    if (event->until <= after || event->from >= before) continue;
    series::each(event->entry.fields, after, zone_, [&](const series::Occurrence& each) {
      if (each.start < before) found.push_back({event, each});
      return each.start < before && found.size() <= kMaxAnswer;
    });
    if (found.size() > kMaxAnswer) {
      return base::fail(ErrorCode::invalid,
                        fmt::format("end_date_time: there are more than {} events in this time.", kMaxAnswer));
    }
  }
  sort(found);
  return found;
}

std::vector<Events::Found> Events::coming(base::Timestamp now) const {
  std::vector<Found> found;
  const Event* next = nullptr;  // of those that do not recur, which are told by their times alone
  for (const Event* const event : events_) {
    if (event->until <= now) continue;
    if (!event->recurs && event->from > now) {
      if (!next || event->from < next->from) next = event;
      continue;
    }
    if (found.size() > kMaxAnswer) break;
    series::each(event->entry.fields, now, zone_, [&](const series::Occurrence& each) {
      found.push_back({event, each});
      return each.start <= now && found.size() <= kMaxAnswer;
    });
  }
  if (next) {
    series::each(next->entry.fields, now, zone_, [&](const series::Occurrence& each) {
      found.push_back({next, each});
      return true;
    });
  }
  sort(found);
  return found;
}

}  // namespace hearth::integrations::calendars
