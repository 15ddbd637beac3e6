// SPDX-License-Identifier: Apache-2.0
#include "integrations/calendars/dav/account.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text/utf8.h"
#include "net/http/url.h"

namespace hearth::integrations::calendars {
namespace {

constexpr std::string_view kHead = R"(<?xml version="1.0" encoding="utf-8"?>)";
constexpr std::string_view kSpaces =
    R"(xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/")";

std::string propfind() {
  return fmt::format(
      "{}<d:propfind {}><d:prop><d:resourcetype/><d:displayname/><d:sync-token/><d:current-user-principal/>"
      "<d:current-user-privilege-set/><c:calendar-home-set/><c:supported-calendar-component-set/><s:getctag/>"
      "</d:prop></d:propfind>",
      kHead, kSpaces);
}

std::string query_of_events() {
  return fmt::format(
      "{}<c:calendar-query {}><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name=\"VCALENDAR\">"
      "<c:comp-filter name=\"VEVENT\"/></c:comp-filter></c:filter></c:calendar-query>",
      kHead, kSpaces);
}

std::string multiget(const std::vector<std::string>& paths) {
  std::string hrefs;
  for (const std::string& path : paths) hrefs += fmt::format("<d:href>{}</d:href>", xml_escaped(path));
  return fmt::format(
      "{}<c:calendar-multiget {}><d:prop><d:getetag/><c:calendar-data/></d:prop>{}</c:calendar-multiget>", kHead,
      kSpaces, hrefs);
}

// Where an href of an answer leads; nothing if it is another server's, which would get the user's requests.
std::optional<net::Url> resolved(const std::string& base, const std::string& href) {
  const auto from = net::parse_url(base);
  if (!from || href.empty()) return {};
  auto to = net::resolve_url(*from, href);
  if (!to || !to->same_origin(*from)) return {};
  return *std::move(to);
}

// example.org of https://p45.example.org; empty if the address has no such part.
std::string_view domain_of(const net::Url& url) {
  const std::string_view host = url.host;
  const auto last = host.rfind('.');
  if (!url.secure || last == std::string_view::npos || last == 0 || host.find_last_of("0123456789") == host.size() - 1)
    return {};
  const auto before = host.rfind('.', last - 1);
  return before == std::string_view::npos ? host : host.substr(before + 1);
}

// The folder of the calendars may be at another machine of the same domain, as some providers have it.
std::optional<net::Url> resolved_home(const std::string& base, const std::string& href) {
  if (auto same = resolved(base, href)) return same;
  const auto from = net::parse_url(base);
  if (!from || href.empty()) return {};
  auto to = net::resolve_url(*from, href);
  if (!to || domain_of(*to).empty() || domain_of(*to) != domain_of(*from)) return {};
  return *std::move(to);
}

}  // namespace

Account::Account(net::HttpClient& client, Access access, core::Hub& hub, domains::IntegrationBus& bus, std::string url,
                 Watch watch)
    : hub_(hub), url_(std::move(url)), watch_(std::move(watch)), requests_(client, std::move(access)), reading_(bus) {}

void Account::stop() {
  requests_.cancel();
  reading_.stop();
}

void Account::forget() {
  for (auto& [path, calendar] : calendars_) {
    calendar.ctag.clear();
    calendar.objects.clear();
  }
}

void Account::fail(net::Failure why) {
  under_way_ = false;
  queue_.clear();
  wanted_.clear();
  watch_.failed(std::move(why));
}

void Account::fail(const base::Error& error) {
  fail(net::Failure{net::Reason::unsupported, fmt::format("The server's answer: {}", error.message)});
}

void Account::ask(std::string method, std::string url, int depth, std::string body, std::function<void(Resources)> then,
                  Failed failed) {
  net::HttpRequest request;
  request.method = std::move(method);
  request.url = std::move(url);
  request.headers = {{"Depth", std::to_string(depth)}, {"Content-Type", "application/xml; charset=utf-8"}};
  request.body = std::move(body);
  request.max_body = Events::kMaxText;
  requests_.ask(std::move(request), [this, then = std::move(then), failed = std::move(failed)](net::HttpResult result) {
    if (!result) return failed ? failed(std::move(result.error())) : fail(std::move(result.error()));
    base_ = result->url;
    if (result->status != 207) {
      net::Failure why{net::Reason::unsupported,
                       fmt::format("The server answers with {} where CalDAV has 207.", result->status)};
      return failed ? failed(std::move(why)) : fail(std::move(why));
    }
    const bool begun =
        reading_.run([text = std::move(result->body)](const ReadingThread::GoesOn&) { return parse_multistatus(text); },
                     [this, then](base::Result<Resources> found) {
                       if (!found) return fail(found.error());
                       then(*std::move(found));
                     });
    if (!begun) fail({net::Reason::busy, "Former answers are still being read."});
  });
}

void Account::begin() {
  requests_.cancel();
  queue_.clear();
  wanted_.clear();
  again_ = false;
  under_way_ = true;
  began_ = hub_.clock.now();
}

void Account::poll() {
  const base::Timestamp now = hub_.clock.now();
  if (under_way_ && now - began_ < kLongest) {
    again_ = true;
    return;
  }
  begin();
  only_finds_ = false;
  zone_ = hub_.config.load()->time_zone;
  tried_well_known_ = tried_principal_ = false;
  if (home_.empty()) return look_at(url_);
  list();
}

void Account::find() {
  begin();
  only_finds_ = true;
  look_at(url_);
}

void Account::look_at(std::string url) {
  ask(
      "PROPFIND", url, 0, propfind(), [this, url](const Resources& found) { looked_at(url, found); },
      [this](net::Failure why) { try_well_known(std::move(why)); });
}

void Account::try_well_known(net::Failure otherwise) {
  const auto url = net::parse_url(url_);
  if (tried_well_known_ || !url || otherwise.reason == net::Reason::invalid_auth ||
      otherwise.reason == net::Reason::invalid_host || otherwise.reason == net::Reason::timeout)
    return fail(std::move(otherwise));
  tried_well_known_ = true;
  net::Url known = *url;
  known.target = "/.well-known/caldav";
  const std::string address = known.str();
  ask(
      "PROPFIND", address, 0, propfind(), [this, address](const Resources& found) { looked_at(address, found); },
      [this, otherwise](const net::Failure&) { fail(otherwise); });
}

void Account::looked_at(const std::string& url, const Resources& found) {
  if (found.empty()) return try_well_known({net::Reason::unsupported, "The server answers without any resource."});
  const DavResource& resource = found.front();
  if (resource.is_calendar) {
    home_ = base_;
    single_ = true;
    return list();
  }
  if (!resource.home_set.empty()) {
    const auto home = resolved_home(base_, resource.home_set);
    if (!home) return fail({net::Reason::unsupported, "The server's calendars are at another server."});
    home_ = home->str();
    return list();
  }
  const auto principal = resolved(base_, resource.principal);
  if (principal && !tried_principal_) {
    tried_principal_ = true;
    return look_at(principal->str());
  }
  // A folder of calendars, perhaps.
  home_ = principal ? url_ : url;
  list();
}

void Account::list() {
  ask("PROPFIND", home_, single_ ? 0 : 1, propfind(), [this](const Resources& found) { listed(found); });
}

void Account::listed(const Resources& found) {
  std::set<std::string> present;
  for (const DavResource& each : found) {
    const auto url = resolved(base_, each.href);
    if (!url || each.gone || !each.is_calendar || !each.has_events || present.size() == kMaxCalendars) continue;
    present.insert(url->target);
    DavCalendar& calendar = calendars_[url->target];
    calendar.url = url->str();
    calendar.path = url->target;
    calendar.name = base::utf8_excerpt(base::utf8_repaired(each.name));
    calendar.writable = each.writable;
    if (calendar.events && !each.ctag.empty() && calendar.ctag == each.ctag) continue;
    calendar.ctag = each.ctag;
    queue_.push_back(calendar.path);
  }
  std::erase_if(calendars_, [&](const auto& each) { return !present.contains(each.first); });
  if (calendars_.empty()) {
    home_.clear();
    return fail({net::Reason::unsupported, "The server has no calendar with events at this address."});
  }
  if (only_finds_) {
    under_way_ = false;
    queue_.clear();
    return watch_.done();
  }
  next_calendar();
}

void Account::next_calendar() {
  if (queue_.empty()) {
    under_way_ = false;
    watch_.done();
    if (again_) poll();
    return;
  }
  ask("REPORT", calendars_.at(queue_.front()).url, 1, query_of_events(),
      [this](const Resources& found) { listed_objects(found); });
}

void Account::listed_objects(const Resources& found) {
  DavCalendar& calendar = calendars_.at(queue_.front());
  std::set<std::string> present;
  for (const DavResource& each : found) {
    const auto url = resolved(base_, each.href);
    if (!url || each.gone || present.size() == Events::kMaxEvents || !present.insert(url->target).second) continue;
    const auto known = calendar.objects.find(url->target);
    if (known == calendar.objects.end() || each.etag.empty() || known->second.etag != each.etag)
      wanted_.push_back(url->target);
  }
  std::erase_if(calendar.objects, [&](const auto& each) { return !present.contains(each.first); });
  fetch();
}

void Account::fetch() {
  if (wanted_.empty()) return end_calendar();
  std::vector<std::string> batch;
  while (!wanted_.empty() && batch.size() < kBatch) {
    batch.push_back(std::move(wanted_.front()));
    wanted_.pop_front();
  }
  const DavCalendar& calendar = calendars_.at(queue_.front());
  ask("REPORT", calendar.url, 1, multiget(batch), [this](Resources found) {
    const bool begun = reading_.run(
        [found = std::move(found), zone = zone_, base = base_](const ReadingThread::GoesOn& goes_on) {
          std::vector<Fetched> fetched;
          for (const DavResource& each : found) {
            const auto url = resolved(base, each.href);
            if (!url || each.gone || each.data.empty()) continue;
            auto part = Events::read(each.data, zone, goes_on);
            if (!part) {
              auto wrong = std::make_shared<Part>();
              wrong->losses.push_back(fmt::format("{}: {}", base::utf8_excerpt(url->target), part.error().message));
              part = std::move(wrong);
            }
            fetched.push_back({url->target, {each.etag, *std::move(part)}});
          }
          return fetched;
        },
        [this](std::vector<Fetched> fetched) { take(std::move(fetched)); });
    if (!begun) fail({net::Reason::busy, "Former answers are still being read."});
  });
}

void Account::take(std::vector<Fetched> fetched) {
  DavCalendar& calendar = calendars_.at(queue_.front());
  for (Fetched& each : fetched) calendar.objects.insert_or_assign(std::move(each.path), std::move(each.object));
  fetch();
}

void Account::end_calendar() {
  DavCalendar& calendar = calendars_.at(queue_.front());
  queue_.pop_front();
  std::vector<PartPtr> parts;
  for (const auto& [path, object] : calendar.objects) parts.push_back(object.part);
  calendar.events = std::make_shared<const Events>(std::move(parts), zone_, hub_.clock.now());
  watch_.changed(calendar);
  next_calendar();
}

}  // namespace hearth::integrations::calendars
