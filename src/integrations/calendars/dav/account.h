// SPDX-License-Identifier: Apache-2.0
// The calendars of a user at a CalDAV server (RFC 4791), as they are there: finds them, and fetches what has changed. A
// poll in which nothing has changed is one request. Bus thread only.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/hub.h"
#include "integrations/calendars/dav/multistatus.h"
#include "integrations/calendars/events/events.h"
#include "integrations/calendars/events/reading_thread.h"
#include "integrations/calendars/web/requests.h"

namespace hearth::integrations::calendars {

// A file of a calendar: an event, with what is different about its times.
struct DavObject {
  std::string etag;
  PartPtr part;
};

struct DavCalendar {
  std::string url;   // absolute
  std::string path;  // of the URL: the same as long as the calendar lives
  std::string name, ctag;
  bool writable = true;
  std::map<std::string, DavObject> objects = {};  // by path
  EventsPtr events = {};                          // null until they have been fetched
};

class Account {
 public:
  static constexpr std::size_t kMaxCalendars = 64;
  static constexpr std::size_t kBatch = 40;                             // objects of a request
  static constexpr base::Duration kLongest = std::chrono::minutes(10);  // of a poll; then another one may begin

  using Failed = std::function<void(net::Failure why)>;
  struct Watch {
    std::function<void(const DavCalendar& calendar)> changed;  // the events of a calendar
    std::function<void()> done;                                // of a poll: all calendars are up to date
    Failed failed;                                             // of a poll: others may have changed before
  };

  // Both must outlive it. `url`: of the server, the user, a folder of calendars, or a single calendar.
  Account(net::HttpClient& client, Access access, core::Hub& hub, domains::IntegrationBus& bus, std::string url,
          Watch watch);

  // Calls watch.done or watch.failed once, later. While another poll is under way, the next one follows
  // it; after kLongest it takes its place.
  void poll();
  // Finds the calendars only.
  void find();
  // Everything is fetched again by the next poll.
  void forget();
  void stop();
  // By path, without those that are gone.
  const std::map<std::string, DavCalendar>& calendars() const { return calendars_; }
  Requests& requests() { return requests_; }

 private:
  using Resources = std::vector<DavResource>;
  struct Fetched {
    std::string path;
    DavObject object;
  };

  void begin();
  void look_at(std::string url);
  void looked_at(const std::string& url, const Resources& found);
  void try_well_known(net::Failure otherwise);
  void list();
  void listed(const Resources& found);
  void next_calendar();
  void listed_objects(const Resources& found);
  void fetch();
  void take(std::vector<Fetched> fetched);
  void end_calendar();
  // Asks, and reads the answer on the thread; null `body`: without one.
  void ask(std::string method, std::string url, int depth, std::string body, std::function<void(Resources)> then,
           Failed failed = {});
  void fail(net::Failure why);
  void fail(const base::Error& error);

  core::Hub& hub_;
  const std::string url_;
  const Watch watch_;
  Requests requests_;
  ReadingThread reading_;
  bool under_way_ = false, again_ = false, only_finds_ = false, tried_well_known_ = false, tried_principal_ = false;
  base::Timestamp began_;
  std::string home_;     // the folder of the calendars; empty until it is found
  bool single_ = false;  // `home_` is a calendar itself
  std::string base_;     // of the last answer: hrefs are relative to it
  std::map<std::string, DavCalendar> calendars_;
  std::deque<std::string> queue_;   // paths of calendars that may have changed
  std::deque<std::string> wanted_;  // paths of objects of the first of these
  std::string zone_;                // of the home, with which objects are read
};

}  // namespace hearth::integrations::calendars
