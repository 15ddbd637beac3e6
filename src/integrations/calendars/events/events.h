// SPDX-License-Identifier: Apache-2.0
// The events of a calendar of another place, as they were read. Immutable; any thread.
//
// Questions are answered on the bus thread, so there are bounds: at most kMaxEvents, of which kMaxRecurring recur and
// are not over. The others are dropped, which is said. So an answer never takes more than some 50 ms.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "domains/lists/calendar_series.h"
#include "domains/lists/ics.h"

namespace hearth::integrations::calendars {

struct Event {
  domains::ics::Entry entry;
  base::Timestamp from, until;  // no occurrence begins before, or ends after
  bool recurs = false;
};

// The content of a file, or of an object of a server.
struct Part {
  std::vector<Event> events;
  std::vector<std::string> losses;  // a line each: what was not read, and why
};
using PartPtr = std::shared_ptr<const Part>;

class Events {
 public:
  static constexpr std::size_t kMaxEvents = 10'000, kMaxRecurring = 1'000, kMaxLosses = 20;
  static constexpr std::size_t kMaxAnswer = 10'000;         // events of an answer
  static constexpr std::size_t kMaxText = 4 * 1024 * 1024;  // bytes of a file

  struct Found {
    const Event* event;
    domains::series::Occurrence occurrence;
  };

  // `zone`: of the home, whose clocks the texts of events have. Fails with invalid if the text is no iCalendar, or
  // `goes_on` says false in time.
  static base::Result<PartPtr> read(std::string_view text, const std::string& zone,
                                    const std::function<bool()>& goes_on);

  // `zone`: that they were read with; `now`: events that are over by then do not count as recurring ones.
  Events(std::vector<PartPtr> parts, std::string zone, base::Timestamp now);

  std::size_t size() const { return events_.size(); }
  // At most kMaxLosses, and a line that says how many there are besides.
  const std::vector<std::string>& losses() const { return losses_; }
  // Null if there is none.
  const Event* find(std::string_view uid) const;

  // The events that have not ended at `after` and begin before `before`, in the order of their starts. Fails with
  // invalid if they are more than kMaxAnswer.
  base::Result<std::vector<Found>> between(base::Timestamp after, base::Timestamp before) const;
  // Events under way, and of each event the next time; likewise.
  std::vector<Found> coming(base::Timestamp now) const;

 private:
  const std::vector<PartPtr> parts_;
  const std::string zone_;
  std::vector<const Event*> events_;
  std::vector<std::string> losses_;
};
using EventsPtr = std::shared_ptr<const Events>;

}  // namespace hearth::integrations::calendars
