// SPDX-License-Identifier: Apache-2.0
#include "integrations/calendars/remote/remote_calendar_flow.h"

#include <utility>

#include "base/json/json_fields.h"
#include "base/text/text.h"
#include "integrations/calendars/events/events.h"
#include "integrations/calendars/remote/remote_calendar.h"
#include "integrations/calendars/web/flow_errors.h"

namespace hearth::integrations::calendars {
namespace {

using core::ConnectionError;
using Field = domains::FormField;

domains::FlowForm calendar_form(std::map<std::string, ConnectionError> errors = {}) {
  return {.step_id = "user",
          .fields = {{.name = "calendar_name", .required = true},
                     {.name = "url", .required = true},
                     {.name = "username"},
                     {.name = "password", .secret = true},
                     {.name = "verify_ssl", .type = Field::Type::boolean, .otherwise = true}},
          .errors = std::move(errors),
          .last_step = true};
}

}  // namespace

void RemoteCalendarFlow::begin(Reply reply) {
  reply(calendar_form());
}

void RemoteCalendarFlow::submit(const json::object& fields, Reply reply) {
  const std::string url = web_address(base::text_at(fields, "url"));
  const std::string name(base::trim_blanks(base::text_at(fields, "calendar_name")));
  if (url.empty()) return reply(calendar_form({{"url", ConnectionError::invalid_host}}));
  const bool verify = base::value_at(fields, "verify_ssl") != json::value(false);
  made_ = {.title = name.empty() ? "Calendar" : name,
           .unique_id = RemoteCalendar::unique_id(url),
           .data = {{"name", name.empty() ? "Calendar" : name},
                    {"url", url},
                    {"username", base::text_at(fields, "username")},
                    {"verify_ssl", verify}}};
  const core::Secret password(base::text_at(fields, "password"));
  if (!password.empty()) made_.secrets.emplace("password", password);
  reply_ = std::move(reply);
  requests_.emplace(*home_.http, Access{base::text_at(fields, "username"), password, verify});
  requests_->ask(RemoteCalendar::request(url), [this](net::HttpResult result) { answered(std::move(result)); });
}

void RemoteCalendarFlow::answered(net::HttpResult result) {
  if (!result) return answer(calendar_form({{"base", error_of(result.error().reason)}}));
  const bool begun =
      reading_.run([text = std::move(result->body), zone = home_.hub.config.load()->time_zone](
                       const ReadingThread::GoesOn& goes_on) { return Events::read(text, zone, goes_on); },
                   [this](base::Result<PartPtr> part) {
                     if (part) return answer(std::move(made_));
                     answer(calendar_form({{"url", ConnectionError::unsupported}}));
                   });
  if (!begun) answer(calendar_form({{"base", ConnectionError::busy}}));
}

// Later, because the answer may be the end of this, which is in the middle of a call.
void RemoteCalendarFlow::answer(domains::FlowStep step) {
  later_ = home_.bus.schedule(base::Duration(0),
                              [reply = std::exchange(reply_, {}), step = std::move(step)] { reply(step); });
}

}  // namespace hearth::integrations::calendars
