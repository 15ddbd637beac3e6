// SPDX-License-Identifier: Apache-2.0
// Creates, changes and deletes events of a calendar at its CalDAV server, one after the other. Bus thread only.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "domains/integration.h"
#include "integrations/calendars/dav/account.h"
#include "integrations/calendars/events/calendar_entity.h"
#include "integrations/calendars/web/requests.h"

namespace hearth::integrations::calendars {

class DavEventWriter final : public EventWriter {
 public:
  static constexpr std::size_t kMaxWaiting = 16;  // changes; further ones are refused

  struct Place {
    std::function<const DavCalendar*()> calendar;  // null if it is gone
    // A change has been done, or the server has refused it: a sentence.
    std::function<void()> written;
    std::function<void(std::string why)> refused;
  };

  // Home and client must outlive it.
  DavEventWriter(const domains::IntegrationHome& home, net::HttpClient& client, Access access, Place place)
      : home_(home), place_(std::move(place)), requests_(client, std::move(access)) {}

  base::Result<void> check(const domains::Action& action, const json::object& data) const override;
  void act(const domains::Action& action, const json::object& data, domains::CommandAnswer owed) override;
  void stop();

 private:
  struct Found {
    const Event* event;
    std::string path, etag;
  };
  // One object of the server. Neither text: it goes.
  struct Change {
    std::string url, uid, etag;
    json::object before = {};
    std::optional<json::object> after = {};
    bool is_new = false;
    domains::CommandAnswer owed = {};  // nobody's if another change of the same call follows
  };

  base::Result<Found> find(const json::object& data) const;
  base::Result<domains::series::Plan> plan(const domains::Action& action, const json::object& data,
                                           const Found& found) const;
  std::string zone() const { return home_.hub.config.load()->time_zone; }
  // Fails if the calendar is gone.
  base::Result<void> create(json::object fields);
  base::Result<void> put_in_queue(const domains::Action& action, const json::object& data);
  std::string url_of(const std::string& path) const;
  void next();
  void rewrite(net::HttpResult result);
  void put(const std::string& text, std::string_view condition, const std::string& value);
  void ended(net::HttpResult result);

  const domains::IntegrationHome& home_;
  const Place place_;
  Requests requests_;
  std::deque<Change> waiting_;  // the first is under way
};

}  // namespace hearth::integrations::calendars
