// SPDX-License-Identifier: Apache-2.0
// The calendars of a user at a CalDAV server, such as Nextcloud, Radicale or a mail provider. One object serves one
// account. Bus thread only.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "base/text/pattern.h"
#include "domains/connection_flow.h"
#include "domains/integration.h"
#include "integrations/calendars/dav/account.h"
#include "integrations/calendars/dav/event_writer.h"
#include "integrations/calendars/events/calendar_entity.h"
#include "integrations/calendars/web/poll_timer.h"

namespace hearth::integrations::calendars {

class Caldav final : public domains::Integration {
 public:
  // So long after its last answer the events of a server count.
  static constexpr base::Duration kTrusted = std::chrono::hours(1);

  // A calendar of its own, with those events of another one that match.
  struct CustomCalendar {
    std::string name, calendar, search;
    std::optional<base::Pattern> pattern = {};
  };
  struct Options {
    std::string url;
    Access access = {};
    std::vector<std::string> calendars = {};  // by their names; empty: all
    std::vector<CustomCalendar> custom = {};  // if there is any, only these become entities
    int days = 0;                             // that the state looks ahead; 0: without a limit
    base::Duration scan_interval = std::chrono::minutes(15);

    // Of one account of the section. Fails with invalid; a line for each error.
    static base::Result<Options> parse(const base::ConfigNode& node);
    // Of the whole section, which is a list of accounts, or one.
    static std::vector<base::ConfigProblem> check(const base::ConfigNode& section);
    // Without the password, which the home has.
    static Options of(const core::Connection& connection);
  };

  Caldav(const domains::IntegrationHome& home, Options options);

  static std::vector<domains::FileConnection> connections(const base::ConfigNode& section);
  static std::unique_ptr<domains::ConnectionFlow> flow(const domains::FlowHome& home, const domains::Discovered* found);
  // Gives an account that a page has added another password.
  static std::unique_ptr<domains::ConnectionFlow> change_flow(const domains::FlowHome& home,
                                                              domains::ConnectionChange change);
  static std::string unique_id(std::string_view url, std::string_view user);
  // For people: the user, or the host of the address.
  static std::string title(const std::string& url, const std::string& user);

  base::Result<void> start() override;
  void stop() override;
  json::object diagnosis() const override;

 private:
  // The entities of a calendar.
  struct Entities {
    std::unique_ptr<DavEventWriter> writer = {};  // null if the user may only read
    std::vector<std::unique_ptr<CalendarEntity>> all = {};
  };

  void poll();
  void changed(const DavCalendar& calendar);
  // The properties of a calendar that is new.
  Entities entities_of(const DavCalendar& calendar);
  void add(Entities& to, const DavCalendar& calendar, std::string unique_id, std::string name, Look look);
  void done();
  void refused(const std::string& calendar, const std::string& why);
  Access access() const;
  void failed(const net::Failure& why);

  const domains::IntegrationHome home_;
  const Options options_;
  std::optional<Account> account_;
  std::map<std::string, Entities> entities_;  // by the calendar's path
  PollTimer timer_;
  core::Subscription config_;
  std::string zone_;
  std::optional<base::Timestamp> answered_;  // the last time that all calendars were up to date
};

}  // namespace hearth::integrations::calendars
