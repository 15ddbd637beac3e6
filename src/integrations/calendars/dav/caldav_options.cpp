// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/digest.h"
#include "base/json/json_fields.h"
#include "integrations/calendars/dav/caldav.h"
#include "net/http/url.h"

namespace hearth::integrations::calendars {
namespace {

void read_custom(base::ConfigReader& in, Caldav::CustomCalendar& custom) {
  in.text("name", custom.name);
  in.text("calendar", custom.calendar);
  in.text("search", custom.search);
  const auto missing = [&](std::string_view key, const std::string& value) {
    if (value.empty()) in.report(in.node(), in.node().error(fmt::format("{}: missing", key)));
  };
  missing("name", custom.name);
  missing("calendar", custom.calendar);
  // The pattern matches the whole text, but `search` has to match its beginning only.
  auto pattern = base::Pattern::parse(fmt::format("(?:{})[\\s\\S]*", custom.search));
  if (!pattern)
    in.report(*in.find("search"), in.find("search")->error(pattern.error().message));
  else
    custom.pattern = *std::move(pattern);
}

void read_account(base::ConfigReader& in, Caldav::Options& options) {
  in.find("platform");
  std::string url, password;
  in.text("url", url);
  in.text("username", options.access.user);
  in.text("password", password);
  options.access.password = core::Secret(std::move(password));
  in.boolean("verify_ssl", options.access.verify_certificate);
  in.texts("calendars", options.calendars);
  in.integer("days", options.days, 1, 365);
  in.duration("scan_interval", options.scan_interval, std::chrono::minutes(1), std::chrono::hours(24));
  options.url = web_address(url);
  const base::ConfigNode* const given = in.find("url");
  if (!given)
    in.report(in.node(), in.node().error("url: missing; expected an address such as https://example.org/dav"));
  else if (options.url.empty())
    in.report(*given, given->error("expected an address that begins with https:// or http://"));
  const base::ConfigNode* const custom = in.find("custom_calendars");
  if (!custom || custom->is_empty()) return;
  if (!custom->is_list()) return in.report(*custom, custom->mismatch("a list of calendars"));
  for (const base::ConfigNode& node : custom->items()) {
    base::ConfigReader one(node);
    read_custom(one, options.custom.emplace_back());
    for (base::ConfigProblem& problem : one.problems()) in.report(std::move(problem));
  }
}

std::vector<base::ConfigNode> accounts_of(const base::ConfigNode& section) {
  if (section.is_list()) return section.items();
  return section.is_empty() ? std::vector<base::ConfigNode>() : std::vector{section};
}

}  // namespace

base::Result<Caldav::Options> Caldav::Options::parse(const base::ConfigNode& node) {
  Options options;
  base::ConfigReader in(node);
  read_account(in, options);
  return in.finish(std::move(options));
}

std::vector<base::ConfigProblem> Caldav::Options::check(const base::ConfigNode& section) {
  if (!section.is_list() && !section.is_map() && !section.is_empty())
    return {{section.place().line, &section, false, section.mismatch("a list of accounts").message}};
  std::vector<base::ConfigProblem> problems;
  const auto check_one = [&](const base::ConfigNode& node) {
    Options options;
    base::ConfigReader in(node);
    read_account(in, options);
    std::ranges::move(in.problems(), std::back_inserter(problems));
  };
  if (section.is_map()) check_one(section);
  for (const base::ConfigNode& node : section.items()) check_one(node);
  return problems;
}

Caldav::Options Caldav::Options::of(const core::Connection& connection) {
  const json::object& data = connection.data;
  Options options{.url = base::text_at(data, "url")};
  options.access.user = base::text_at(data, "username");
  options.access.verify_certificate = base::value_at(data, "verify_ssl") != json::value(false);
  return options;
}

std::vector<domains::FileConnection> Caldav::connections(const base::ConfigNode& section) {
  std::vector<domains::FileConnection> all;
  for (const base::ConfigNode& node : accounts_of(section)) {
    const auto options = Options::parse(node);
    if (!options) continue;
    std::string id = unique_id(options->url, options->access.user);
    const bool known = std::ranges::any_of(all, [&](const auto& each) { return each.unique_id == id; });
    if (!known) all.push_back({std::move(id), title(options->url, options->access.user), node});
  }
  return all;
}

std::string Caldav::unique_id(std::string_view url, std::string_view user) {
  return base::fingerprint(fmt::format("{}\n{}", url, user));
}

std::string Caldav::title(const std::string& url, const std::string& user) {
  if (!user.empty()) return user;
  const auto parsed = net::parse_url(url);
  return parsed ? parsed->authority() : "CalDAV";
}

}  // namespace hearth::integrations::calendars
