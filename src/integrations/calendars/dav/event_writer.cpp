// SPDX-License-Identifier: Apache-2.0
#include "integrations/calendars/dav/event_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "base/random_id.h"
#include "base/text/utf8.h"
#include "domains/lists/calendar_answer.h"
#include "domains/lists/calendar_series.h"
#include "domains/lists/ics_writer.h"
#include "net/http/url.h"

namespace hearth::integrations::calendars {
namespace {

namespace parts = domains::series;
using base::ErrorCode;

std::unexpected<base::Error> no_calendar() {
  return base::fail(ErrorCode::invalid, "The server has no such calendar any more.");
}

}  // namespace

base::Result<DavEventWriter::Found> DavEventWriter::find(const json::object& data) const {
  const std::string_view uid = base::text_view_at(data, parts::kUid);
  const DavCalendar* const calendar = place_.calendar();
  if (calendar) {
    for (const auto& [path, object] : calendar->objects) {
      for (const Event& event : object.part->events) {
        if (event.entry.uid != uid) continue;
        if (object.part->events.size() != 1) {
          return base::fail(ErrorCode::invalid,
                            fmt::format("uid: {} is only a part of an event of the server; change it there.",
                                        base::utf8_excerpt(uid)));
        }
        return Found{&event, path, object.etag};
      }
    }
  }
  return base::fail(ErrorCode::invalid, fmt::format("uid: there is no event {}.", base::utf8_excerpt(uid)));
}

base::Result<parts::Plan> DavEventWriter::plan(const domains::Action& action, const json::object& data,
                                               const Found& found) const {
  const json::object& fields = found.event->entry.fields;
  return action.service == "delete_event" ? parts::plan_delete(fields, data) : parts::plan_update(fields, data, zone());
}

base::Result<void> DavEventWriter::check(const domains::Action& action, const json::object& data) const {
  if (auto good = domains::check_event_texts(data); !good) return good;
  if (!place_.calendar()) return no_calendar();
  if (waiting_.size() >= kMaxWaiting)
    return base::fail(ErrorCode::invalid, fmt::format("There are {} changes that wait for the server.", kMaxWaiting));
  if (action.service == "create_event") {
    const auto made = parts::changed({}, data, zone());
    return made ? base::Result<void>() : std::unexpected(made.error());
  }
  if (!data.contains(parts::kUid)) return {};
  const auto found = find(data);
  if (!found) return std::unexpected(found.error());
  const auto planned = plan(action, data, *found);
  return planned ? base::Result<void>() : std::unexpected(planned.error());
}

void DavEventWriter::act(const domains::Action& action, const json::object& data, domains::CommandAnswer owed) {
  const std::size_t before = waiting_.size();
  const auto queued = put_in_queue(action, data);
  if (!queued) owed.refuse(queued.error().message);
  if (waiting_.size() == before) return owed.done();
  waiting_.back().owed = std::move(owed);
  if (before == 0) next();
}

base::Result<void> DavEventWriter::put_in_queue(const domains::Action& action, const json::object& data) {
  if (action.service == "create_event") {
    auto made = parts::changed({}, data, zone());
    return made ? create(std::move(*made)) : std::unexpected(std::move(made.error()));
  }
  const auto found = find(data);
  if (!found) return std::unexpected(found.error());
  auto planned = plan(action, data, *found);
  if (!planned) return std::unexpected(std::move(planned.error()));
  waiting_.push_back({.url = url_of(found->path),
                      .uid = found->event->entry.uid,
                      .etag = found->etag,
                      .before = found->event->entry.fields,
                      .after = std::move(planned->update)});
  return planned->create ? create(std::move(*planned->create)) : base::Result<void>();
}

void DavEventWriter::stop() {
  requests_.cancel();
  waiting_.clear();
}

base::Result<void> DavEventWriter::create(json::object fields) {
  const DavCalendar* const calendar = place_.calendar();
  if (!calendar) return no_calendar();
  std::string uid = base::make_random_id();
  const std::string folder = calendar->path.ends_with('/') ? calendar->path : calendar->path + '/';
  waiting_.push_back({.url = url_of(folder + uid + ".ics"),
                      .uid = std::move(uid),
                      .etag = {},
                      .after = std::move(fields),
                      .is_new = true});
  return {};
}

std::string DavEventWriter::url_of(const std::string& path) const {
  const auto base = net::parse_url(place_.calendar()->url);
  const auto url = net::resolve_url(*base, path);
  return url ? url->str() : std::string();
}

void DavEventWriter::next() {
  if (waiting_.empty()) return place_.written();
  const Change& change = waiting_.front();
  if (change.is_new)
    return put(domains::ics::write_event(change.uid, *change.after, home_.hub.clock.now()), "If-None-Match", "*");
  net::HttpRequest request;
  request.url = change.url;
  if (change.after) {
    request.headers = {{"Accept", "text/calendar"}};
    return requests_.ask(std::move(request), [this](net::HttpResult result) { rewrite(std::move(result)); });
  }
  request.method = "DELETE";
  if (!change.etag.empty()) request.headers = {{"If-Match", change.etag}};
  requests_.ask(std::move(request), [this](net::HttpResult result) { ended(std::move(result)); });
}

void DavEventWriter::rewrite(net::HttpResult result) {
  if (!result) return ended(std::move(result));
  const Change& change = waiting_.front();
  const auto text =
      domains::ics::rewrite_event(result->body, change.uid, change.before, *change.after, home_.hub.clock.now());
  if (!text) return ended(std::unexpected(net::Failure{net::Reason::busy, text.error().message}));
  const std::string* const tag = result->header("ETag");
  // A weak one never matches (RFC 9110 §13.1.1).
  const bool strong = tag && !tag->starts_with("W/");
  put(*text, strong ? "If-Match" : "", strong ? *tag : std::string());
}

void DavEventWriter::put(const std::string& text, std::string_view condition, const std::string& value) {
  net::HttpRequest request;
  request.method = "PUT";
  request.url = waiting_.front().url;
  request.headers = {{"Content-Type", "text/calendar; charset=utf-8"}};
  if (!condition.empty()) request.headers.emplace_back(condition, value);
  request.body = text;
  requests_.ask(std::move(request), [this](net::HttpResult result) { ended(std::move(result)); });
}

void DavEventWriter::ended(net::HttpResult result) {
  if (!result) {
    // The next write may need the one that has failed.
    for (const Change& change : std::exchange(waiting_, {})) change.owed.refuse(result.error().message);
    return place_.refused(std::move(result.error().message));
  }
  waiting_.front().owed.done();
  waiting_.pop_front();
  next();
}

}  // namespace hearth::integrations::calendars
