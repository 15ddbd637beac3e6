// SPDX-License-Identifier: Apache-2.0
// A calendar of an address that answers with iCalendar (.ics), such as those of waste collections, schools and clubs.
// One object serves one address. Bus thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "domains/connection_flow.h"
#include "domains/integration.h"
#include "integrations/calendars/events/calendar_entity.h"
#include "integrations/calendars/events/reading_thread.h"
#include "integrations/calendars/web/poll_timer.h"
#include "integrations/calendars/web/requests.h"

namespace hearth::integrations::calendars {

class RemoteCalendar final : public domains::Integration {
 public:
  // So long after its last answer the events of a server count.
  static constexpr base::Duration kTrusted = std::chrono::hours(1);

  struct Options {
    std::string name, url;
    Access access = {};
    base::Duration scan_interval = std::chrono::minutes(15);

    // Of one calendar of the section. Fails with invalid; a line for each error.
    static base::Result<Options> parse(const base::ConfigNode& node);
    // Of the whole section, which is a list of calendars, or one.
    static std::vector<base::ConfigProblem> check(const base::ConfigNode& section);
    // Without the password, which the home has.
    static Options of(const core::Connection& connection);
  };

  RemoteCalendar(const domains::IntegrationHome& home, Options options);

  static std::vector<domains::FileConnection> connections(const base::ConfigNode& section);
  static std::unique_ptr<domains::ConnectionFlow> flow(const domains::FlowHome& home, const domains::Discovered* found);
  // A request for the calendar.
  static net::HttpRequest request(std::string url);
  // The same for the same address, and does not tell it: such addresses are often secret.
  static std::string unique_id(std::string_view url);

  base::Result<void> start() override;
  void stop() override;
  json::object diagnosis() const override;

 private:
  void poll();
  void answered(net::HttpResult result);
  void read(base::Result<PartPtr> part);
  void failed(domains::ConnectionHealth::State state, std::string why);
  void succeeded();
  void use_time_zone();

  const domains::IntegrationHome home_;
  const Options options_;
  CalendarEntity entity_;
  std::optional<Requests> requests_;
  std::unique_ptr<ReadingThread> reading_;
  PollTimer timer_;
  core::Subscription config_;
  std::string zone_;
  net::HttpHeaders conditions_, next_conditions_;  // of a request that asks for changes only
  std::string fingerprint_, next_fingerprint_;     // of the text that was read
  std::optional<base::Timestamp> answered_;        // the last time that it was read, or had not changed
};

}  // namespace hearth::integrations::calendars
