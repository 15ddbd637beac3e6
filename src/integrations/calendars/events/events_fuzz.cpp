// SPDX-License-Identifier: Apache-2.0
// Any bytes as the answer of a calendar's server: what is read of them stays within the bounds, and its events come in
// their order, as texts that clients take.
#include "integrations/calendars/events/events.h"

#include <string_view>

#include "base/testing/fuzz_check.h"
#include "base/text/timestamp.h"
#include "domains/lists/calendar_answer.h"

namespace {

namespace base = hearth::base;
using hearth::integrations::calendars::Events;

void must_be_in_order(const std::vector<Events::Found>& found) {
  base::must(found.size() <= 2 * Events::kMaxAnswer, "an answer has a bound");
  base::Timestamp last = base::Timestamp::min();
  for (const Events::Found& each : found) {
    base::must(each.occurrence.start >= last, "in the order of the starts");
    base::must(each.occurrence.end > each.occurrence.start, "an event ends after its start");
    last = each.occurrence.start;
    const auto row = hearth::domains::event_answer(each.event->entry.uid, each.event->entry.fields, each.occurrence);
    base::must(base::utf8_length(base::to_json(row)).has_value(), "UTF-8");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto part = Events::read(base::fuzz_text(data, size), "Europe/Berlin", [] { return true; });
  if (!part) {
    base::must_be_plain(part.error().message, "a message");
    return 0;
  }
  const base::Timestamp now = base::parse_timestamp("2036-01-01T00:00:00Z").value();
  const Events events({*part}, "Europe/Berlin", now);
  base::must(events.size() <= Events::kMaxEvents, "a calendar has a bound");
  must_be_in_order(events.coming(now));
  if (const auto found = events.between(now, now + std::chrono::days(400))) must_be_in_order(*found);
  return 0;
}
