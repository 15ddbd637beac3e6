// SPDX-License-Identifier: Apache-2.0
#include "integrations/calendars/remote/remote_calendar.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/digest.h"
#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/text/timestamp.h"
#include "core/values/entity_id.h"
#include "integrations/calendars/remote/remote_calendar_flow.h"
#include "net/http/url.h"

namespace hearth::integrations::calendars {
namespace {

using State = domains::ConnectionHealth::State;

constexpr std::string_view kRemote = "remote_calendar";

void read_options(base::ConfigReader& in, RemoteCalendar::Options& options) {
  in.text("name", options.name);
  std::string url;
  in.text("url", url);
  options.url = web_address(url);
  std::string password;
  in.text("username", options.access.user);
  in.text("password", password);
  options.access.password = core::Secret(std::move(password));
  in.boolean("verify_ssl", options.access.verify_certificate);
  in.duration("scan_interval", options.scan_interval, std::chrono::minutes(1), std::chrono::hours(24));
  const base::ConfigNode* const given = in.find("url");
  if (!given)
    in.report(in.node(), in.node().error("url: missing; expected an address such as https://example.org/waste.ics"));
  else if (options.url.empty())  // the message does not show it: such addresses are often secret
    in.report(*given, given->error("expected an address that begins with https://, http:// or webcal://"));
  if (options.name.empty()) in.report(in.node(), in.node().error("name: missing; expected a name for the calendar"));
}

// The calendars of the section.
std::vector<base::ConfigNode> calendars_of(const base::ConfigNode& section) {
  if (section.is_list()) return section.items();
  return section.is_empty() ? std::vector<base::ConfigNode>() : std::vector{section};
}

}  // namespace

base::Result<RemoteCalendar::Options> RemoteCalendar::Options::parse(const base::ConfigNode& node) {
  Options options;
  base::ConfigReader in(node);
  read_options(in, options);
  return in.finish(std::move(options));
}

std::vector<base::ConfigProblem> RemoteCalendar::Options::check(const base::ConfigNode& section) {
  if (!section.is_list() && !section.is_map() && !section.is_empty())
    return {{section.place().line, &section, false, section.mismatch("a list of calendars").message}};
  if (section.is_map()) {
    Options options;
    base::ConfigReader in(section);
    read_options(in, options);
    return in.problems();
  }
  std::vector<base::ConfigProblem> problems;
  for (const base::ConfigNode& node : section.items()) {
    Options options;
    base::ConfigReader in(node);
    read_options(in, options);
    std::ranges::move(in.problems(), std::back_inserter(problems));
  }
  return problems;
}

RemoteCalendar::Options RemoteCalendar::Options::of(const core::Connection& connection) {
  const json::object& data = connection.data;
  Options options{.name = base::text_at(data, "name"), .url = base::text_at(data, "url"), .access = {}};
  options.access.user = base::text_at(data, "username");
  options.access.verify_certificate = base::value_at(data, "verify_ssl") != json::value(false);
  return options;
}

std::vector<domains::FileConnection> RemoteCalendar::connections(const base::ConfigNode& section) {
  std::vector<domains::FileConnection> all;
  for (const base::ConfigNode& node : calendars_of(section)) {
    const auto options = Options::parse(node);
    if (!options) continue;
    std::string id = unique_id(options->url);
    const bool known = std::ranges::any_of(all, [&](const auto& each) { return each.unique_id == id; });
    if (!known) all.push_back({std::move(id), options->name, node});
  }
  return all;
}

std::unique_ptr<domains::ConnectionFlow> RemoteCalendar::flow(const domains::FlowHome& home,
                                                              const domains::Discovered*) {
  return std::make_unique<RemoteCalendarFlow>(home);
}

net::HttpRequest RemoteCalendar::request(std::string url) {
  net::HttpRequest made;
  made.url = std::move(url);
  made.headers = {{"Accept", "text/calendar, */*;q=0.5"}};
  made.max_body = Events::kMaxText;
  return made;
}

std::string RemoteCalendar::unique_id(std::string_view url) {
  return base::fingerprint(url);
}

RemoteCalendar::RemoteCalendar(const domains::IntegrationHome& home, Options options)
    : home_(home),
      options_(std::move(options)),
      entity_(home_, [this] { timer_.soon(); }),
      timer_(home_.bus, options_.scan_interval, [this] { poll(); }) {}

base::Result<void> RemoteCalendar::start() {
  if (!home_.http) return base::fail(base::ErrorCode::unavailable, "There are no requests to servers.");
  Access access = options_.access;
  if (const auto own = home_.secrets.find("password"); own != home_.secrets.end()) access.password = own->second;
  requests_.emplace(*home_.http, std::move(access));
  reading_ = std::make_unique<ReadingThread>(home_.bus);
  domains::EntityInfo info{.integration = std::string(kRemote),
                           .unique_id = home_.connection->unique_id,
                           .object_id = core::slugify(options_.name),
                           .name = options_.name,
                           .entry_id = home_.connection->entry_id};
  if (info.object_id.empty()) info.object_id = "calendar";
  if (auto added = entity_.add(std::move(info)); !added) return added;
  zone_ = home_.hub.config.load()->time_zone;
  config_ = home_.bus.listen(core::event_type::kCoreConfigUpdated, [this](const core::Event&) { use_time_zone(); });
  home_.report({State::waiting, fmt::format("{} is being read.", options_.name)});
  poll();
  return {};
}

void RemoteCalendar::stop() {
  timer_.stop();
  config_ = {};
  if (requests_) requests_->cancel();
  if (reading_) reading_->stop();
}

void RemoteCalendar::use_time_zone() {
  std::string zone = home_.hub.config.load()->time_zone;
  if (zone == zone_) return;
  zone_ = std::move(zone);
  conditions_.clear();
  fingerprint_.clear();
  timer_.soon();
}

void RemoteCalendar::poll() {
  timer_.begin();
  net::HttpRequest asked = request(options_.url);
  asked.headers.insert(asked.headers.end(), conditions_.begin(), conditions_.end());
  requests_->ask(std::move(asked), [this](net::HttpResult result) { answered(std::move(result)); });
}

void RemoteCalendar::answered(net::HttpResult result) {
  if (!result) {
    const bool person = result.error().reason == net::Reason::invalid_auth;
    return failed(person ? State::needs_person : State::waiting, result.error().message);
  }
  if (result->status == 304 && entity_.events()) return succeeded();
  if (result->status != 200)
    return failed(State::waiting, fmt::format("The server answers with {} instead of a calendar.", result->status));
  next_fingerprint_ = base::fingerprint(result->body);
  next_conditions_.clear();
  if (const std::string* const tag = result->header("ETag")) next_conditions_.emplace_back("If-None-Match", *tag);
  if (const std::string* const time = result->header("Last-Modified"))
    next_conditions_.emplace_back("If-Modified-Since", *time);
  if (next_fingerprint_ == fingerprint_ && entity_.events()) {
    conditions_ = next_conditions_;
    return succeeded();
  }
  const bool begun =
      reading_->run([text = std::move(result->body),
                     zone = zone_](const ReadingThread::GoesOn& goes_on) { return Events::read(text, zone, goes_on); },
                    [this](base::Result<PartPtr> part) { read(std::move(part)); });
  if (!begun) failed(State::waiting, "The former answer is still being read.");
}

void RemoteCalendar::read(base::Result<PartPtr> part) {
  if (!part) return failed(State::waiting, fmt::format("The answer of the server: {}", part.error().message));
  conditions_ = next_conditions_;
  fingerprint_ = next_fingerprint_;
  auto events = std::make_shared<const Events>(std::vector{*std::move(part)}, zone_, home_.hub.clock.now());
  if (!events->losses().empty()) {
    base::log_warning(kRemote, "{}: {} lines about events that were not read as a whole, the first: {}", options_.name,
                      events->losses().size(), events->losses().front());
  }
  entity_.show(std::move(events));
  succeeded();
}

void RemoteCalendar::succeeded() {
  answered_ = home_.hub.clock.now();
  entity_.confirm();
  timer_.succeeded();
  home_.report({});
}

void RemoteCalendar::failed(State state, std::string why) {
  base::log_info(kRemote, "{}: {}", options_.name, why);
  if (!answered_ || home_.hub.clock.now() - *answered_ >= kTrusted) entity_.set_unavailable();
  entity_.confirm();
  timer_.failed();
  home_.report({state, std::move(why)});
}

json::object RemoteCalendar::diagnosis() const {
  json::object report{
      {"interval_minutes", std::chrono::duration_cast<std::chrono::minutes>(options_.scan_interval).count()},
      {"conditional", !conditions_.empty()}};
  const auto url = net::parse_url(options_.url);
  report["host"] = url ? url->authority() : "";
  report["answered"] = answered_ ? json::value(base::to_string(*answered_)) : json::value();
  const EventsPtr& events = entity_.events();
  report["events"] = events ? events->size() : 0;
  report["losses"] = events ? json::array(events->losses().begin(), events->losses().end()) : json::array();
  return report;
}

}  // namespace hearth::integrations::calendars
