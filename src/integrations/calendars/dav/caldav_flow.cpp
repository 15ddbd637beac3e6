// SPDX-License-Identifier: Apache-2.0
#include "integrations/calendars/dav/caldav_flow.h"

#include <map>
#include <utility>

#include "base/json/json_fields.h"
#include "integrations/calendars/dav/caldav.h"
#include "integrations/calendars/web/flow_errors.h"

namespace hearth::integrations::calendars {

domains::FlowForm CaldavFlow::form(std::map<std::string, core::ConnectionError> errors) const {
  using Field = domains::FormField;
  domains::FlowForm made{.step_id = "user", .fields = {}, .errors = std::move(errors), .last_step = true};
  bool verify = true;
  if (change_) {
    made.step_id = "reconfigure";
    made.placeholders["name"] = change_->connection->title;
    verify = Caldav::Options::of(*change_->connection).access.verify_certificate;
  } else {
    made.fields = {{.name = "url", .required = true}, {.name = "username", .required = true}};
  }
  made.fields.push_back({.name = "password", .required = true, .secret = true});
  made.fields.push_back({.name = "verify_ssl", .type = Field::Type::boolean, .otherwise = verify});
  return made;
}

void CaldavFlow::begin(Reply reply) {
  reply(form());
}

void CaldavFlow::submit(const json::object& fields, Reply reply) {
  const json::object& account = change_ ? change_->connection->data : fields;
  const std::string user = base::text_at(account, "username");
  const std::string url = change_ ? base::text_at(account, "url") : web_address(base::text_at(account, "url"));
  if (url.empty()) return reply(form({{"url", core::ConnectionError::invalid_host}}));
  const bool verify = base::value_at(fields, "verify_ssl") != json::value(false);
  const core::Secret password(base::text_at(fields, "password"));
  made_ = {.title = Caldav::title(url, user),
           .unique_id = Caldav::unique_id(url, user),
           .data = {{"url", url}, {"username", user}, {"verify_ssl", verify}},
           .secrets = {{"password", password}}};
  if (change_) made_.options = change_->connection->options;
  reply_ = std::move(reply);
  account_ = std::make_unique<Account>(
      *home_.http, Access{user, password, verify}, home_.hub, home_.bus, url,
      Account::Watch{.changed = [](const DavCalendar&) {},
                     .done = [this] { answer(std::move(made_)); },
                     .failed = [this](const net::Failure& why) { answer(form({{"base", error_of(why.reason)}})); }});
  account_->find();
}

// Later, because the answer may be the end of this, which is in the middle of a call.
void CaldavFlow::answer(domains::FlowStep step) {
  later_ = home_.bus.schedule(base::Duration(0),
                              [reply = std::exchange(reply_, {}), step = std::move(step)] { reply(step); });
}

}  // namespace hearth::integrations::calendars
