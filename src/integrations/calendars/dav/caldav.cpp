// SPDX-License-Identifier: Apache-2.0
#include "integrations/calendars/dav/caldav.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/text/timestamp.h"
#include "core/values/entity_id.h"
#include "integrations/calendars/dav/caldav_flow.h"
#include "net/http/url.h"

namespace hearth::integrations::calendars {
namespace {

using Health = domains::ConnectionHealth;

constexpr std::string_view kCaldavName = "caldav";

// True if the title, the place or the description matches.
bool matches(const base::Pattern& pattern, const json::object& fields) {
  return std::ranges::any_of(std::initializer_list<std::string_view>{"summary", "location", "description"},
                             [&](std::string_view key) {
                               const json::value* const text = fields.if_contains(key);
                               return text && text->is_string() && pattern.matches(text->get_string());
                             });
}

}  // namespace

std::unique_ptr<domains::ConnectionFlow> Caldav::flow(const domains::FlowHome& home, const domains::Discovered*) {
  return std::make_unique<CaldavFlow>(home);
}

std::unique_ptr<domains::ConnectionFlow> Caldav::change_flow(const domains::FlowHome& home,
                                                             domains::ConnectionChange change) {
  return std::make_unique<CaldavFlow>(home, std::move(change));
}

Caldav::Caldav(const domains::IntegrationHome& home, Options options)
    : home_(home), options_(std::move(options)), timer_(home_.bus, options_.scan_interval, [this] { poll(); }) {}

Access Caldav::access() const {
  Access made = options_.access;
  if (const auto own = home_.secrets.find("password"); own != home_.secrets.end()) made.password = own->second;
  return made;
}

base::Result<void> Caldav::start() {
  if (!home_.http) return base::fail(base::ErrorCode::unavailable, "There are no requests to servers.");
  account_.emplace(*home_.http, access(), home_.hub, home_.bus, options_.url,
                   Account::Watch{.changed = [this](const DavCalendar& calendar) { changed(calendar); },
                                  .done = [this] { done(); },
                                  .failed = [this](const net::Failure& why) { failed(why); }});
  zone_ = home_.hub.config.load()->time_zone;
  config_ = home_.bus.listen(core::event_type::kCoreConfigUpdated, [this](const core::Event&) {
    std::string zone = home_.hub.config.load()->time_zone;
    if (zone == zone_) return;
    zone_ = std::move(zone);
    account_->forget();
    timer_.soon();
  });
  home_.report({Health::State::waiting, "The calendars are being read."});
  poll();
  return {};
}

void Caldav::stop() {
  timer_.stop();
  config_ = {};
  if (account_) account_->stop();
  for (const auto& [path, entities] : entities_) {
    if (entities.writer) entities.writer->stop();
  }
}

void Caldav::poll() {
  timer_.begin();
  account_->poll();
}

void Caldav::add(Entities& to, const DavCalendar& calendar, std::string unique_id, std::string name, Look look) {
  auto entity = std::make_unique<CalendarEntity>(home_, [this] { timer_.soon(); }, std::move(look), to.writer.get());
  domains::EntityInfo info{.integration = std::string(kCaldavName),
                           .unique_id = std::move(unique_id),
                           .object_id = core::slugify(name),
                           .name = std::move(name),
                           .entry_id = home_.connection->entry_id};
  if (info.object_id.empty()) info.object_id = "calendar";
  if (auto added = entity->add(std::move(info)); !added)
    return base::log_warning(kCaldavName, "{}: {}", calendar.name, added.error().message);
  to.all.push_back(std::move(entity));
}

Caldav::Entities Caldav::entities_of(const DavCalendar& calendar) {
  Entities made;
  const std::string name = calendar.name.empty() ? "Calendar" : calendar.name;
  const auto has = [&](const std::string& each) { return each == calendar.name; };
  if (!options_.calendars.empty() && std::ranges::none_of(options_.calendars, has)) return made;
  const base::Duration ahead = std::chrono::days(options_.days);
  if (calendar.writable) {
    DavEventWriter::Place place{.calendar = [this, path = calendar.path]() -> const DavCalendar* {
                                  const auto found = account_->calendars().find(path);
                                  return found == account_->calendars().end() ? nullptr : &found->second;
                                },
                                .written =
                                    [this] {
                                      home_.raise({});
                                      timer_.soon();
                                    },
                                .refused = [this, name](const std::string& why) { refused(name, why); }};
    made.writer = std::make_unique<DavEventWriter>(home_, *home_.http, access(), std::move(place));
  }
  const std::string id = fmt::format("{} {}", home_.connection->unique_id, calendar.path);
  if (options_.custom.empty()) add(made, calendar, id, name, {.ahead = ahead});
  for (const CustomCalendar& custom : options_.custom) {
    if (!has(custom.calendar)) continue;
    add(made, calendar, fmt::format("{} {}", id, custom.name), custom.name,
        {.ahead = ahead, .filter = [pattern = custom.pattern](const json::object& fields) {
           return !pattern || matches(*pattern, fields);
         }});
  }
  return made;
}

void Caldav::changed(const DavCalendar& calendar) {
  const auto known = entities_.find(calendar.path);
  Entities& entities =
      known == entities_.end() ? entities_.emplace(calendar.path, entities_of(calendar)).first->second : known->second;
  const auto& losses = calendar.events->losses();
  if (!losses.empty() && !entities.all.empty()) {
    base::log_warning(kCaldavName, "{}: {} lines about events that were not read as a whole, the first: {}",
                      calendar.name, losses.size(), losses.front());
  }
  for (const auto& entity : entities.all) entity->show(calendar.events);
}

void Caldav::done() {
  answered_ = home_.hub.clock.now();
  for (const auto& [path, entities] : entities_) {
    const auto& present = account_->calendars();
    const auto calendar = present.find(path);
    for (const auto& entity : entities.all) {
      if (calendar == present.end())
        entity->set_unavailable();
      else if (!entity->thing().available() && calendar->second.events)
        entity->show(calendar->second.events);
      else
        entity->confirm();
    }
  }
  timer_.succeeded();
  const bool any = std::ranges::any_of(entities_, [](const auto& each) { return !each.second.all.empty(); });
  if (any) return home_.report({});
  home_.report({Health::State::needs_person,
                "No calendar of the server has one of the names in `calendars` or "
                "`custom_calendars`."});
}

void Caldav::refused(const std::string& calendar, const std::string& why) {
  base::log_warning(kCaldavName, "{}: an event was not changed: {}", calendar, why);
  home_.raise({{"caldav_refused", {{"calendar", calendar}, {"reason", why}}}});
  timer_.soon();
}

void Caldav::failed(const net::Failure& why) {
  base::log_info(kCaldavName, "{}: {}", home_.connection->title, why.message);
  const bool trusted = answered_ && home_.hub.clock.now() - *answered_ < kTrusted;
  for (const auto& [path, entities] : entities_) {
    for (const auto& entity : entities.all) {
      if (!trusted) entity->set_unavailable();
      entity->confirm();
    }
  }
  timer_.failed();
  const bool person = why.reason == net::Reason::invalid_auth;
  home_.report({person ? Health::State::needs_person : Health::State::waiting, why.message});
}

json::object Caldav::diagnosis() const {
  const auto url = net::parse_url(options_.url);
  json::object report{{"host", url ? url->authority() : ""},
                      {"answered", answered_ ? json::value(base::to_string(*answered_)) : json::value()}};
  json::array calendars;
  if (account_) {
    for (const auto& [path, calendar] : account_->calendars()) {
      json::object row{{"name", calendar.name},
                       {"path", path},
                       {"objects", calendar.objects.size()},
                       {"says_changes", !calendar.ctag.empty()},
                       {"writable", calendar.writable}};
      row["events"] = calendar.events ? calendar.events->size() : 0;
      if (calendar.events)
        row["losses"] = json::array(calendar.events->losses().begin(), calendar.events->losses().end());
      calendars.push_back(std::move(row));
    }
  }
  report["calendars"] = std::move(calendars);
  return report;
}

}  // namespace hearth::integrations::calendars
