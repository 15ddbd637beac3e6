// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/options/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "core/values/entity_id.h"
#include "core/values/limits.h"
#include "net/http/url.h"

namespace hearth::integrations::home_assistant {
namespace {

constexpr std::size_t kMaxName = 32, kMaxPrefix = 32, kMaxNamePrefix = 64, kMaxToken = 4'096;

bool is_made_of(std::string_view text, std::string_view others, bool upper_case) {
  return std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (upper_case && c >= 'A' && c <= 'Z') ||
           others.contains(c);
  });
}

std::optional<std::string> parse_name(std::string_view text) {
  if (!Options::is_name(text)) return {};
  return std::string(text);
}

std::optional<std::string> parse_prefix(std::string_view text) {
  if (!Options::is_prefix(text)) return {};
  return std::string(text);
}

std::optional<std::string> parse_name_prefix(std::string_view text) {
  if (text.size() > kMaxNamePrefix) return {};
  return std::string(text);
}

std::optional<std::string> parse_whole_entity_id(std::string_view text) {
  const auto id = core::EntityId::parse(text);
  if (!id) return {};
  return std::string(id->str());
}

std::optional<std::string> parse_domain(std::string_view text) {
  if (!core::is_slug(text)) return {};
  return std::string(text);
}

std::optional<std::string> parse_id(std::string_view text) {
  if (text.empty() || text.size() > core::Glob::kMaxLength) return {};
  return std::string(text);
}

using Texts = std::set<std::string>;

template <class Set, class Parse>
void read_set(base::ConfigReader& in, std::string_view key, Set& set, std::string_view expected, Parse parse) {
  std::vector<std::string> list;
  in.parsed_list(key, list, expected, parse);
  set = Set(list.begin(), list.end());
}

void read_rule(base::ConfigReader& in, const base::ConfigNode* node, MirrorFilter::Rule& rule) {
  if (!node) return;
  std::vector<std::string> globs;
  read_set(in, "entities", rule.entities, "an entity such as light.kitchen", parse_whole_entity_id);
  in.parsed_list("entity_globs", globs, "a pattern such as sensor.kitchen_*", parse_id);
  read_set(in, "domains", rule.domains, "a domain such as light", parse_domain);
  read_set(in, "areas", rule.areas, "the id of an area there, such as kitchen", parse_id);
  read_set(in, "labels", rule.labels, "the id of a label there, such as heating", parse_id);
  read_set(in, "devices", rule.devices, "the id of a device there", parse_id);
  read_set(in, "integrations", rule.integrations, "an integration there, such as hue", parse_domain);
  const core::Limits limits;
  if (globs.size() > limits.filter_globs) {
    return in.report(*node, node->error(fmt::format("entity_globs: {} patterns, and {} are the limit", globs.size(),
                                                    limits.filter_globs)));
  }
  for (const std::string& glob : globs) {
    if (const auto fits = core::check_glob(glob, limits); !fits)
      in.report(*node, node->error(fits.error().message));
    else
      rule.globs.emplace_back(glob);
  }
}

// As rights of a user are written: {all: true}, {domains: [light]}; {} is nothing.
void read_control(base::ConfigReader& in, Options& options) {
  if (!in.find("control")) return;
  base::ConfigReader& control = in.section("control");
  options.control_all = false;
  control.boolean("all", options.control_all);
  read_set(control, "domains", options.control_domains, "a domain such as light", parse_domain);
  read_set(control, "entities", options.control_entities, "an entity such as light.kitchen", parse_whole_entity_id);
  read_set(control, "areas", options.control_areas, "the id of an area here, such as kitchen", parse_id);
  read_set(control, "labels", options.control_labels, "the id of a label here, such as heating", parse_id);
}

void read_events(base::ConfigReader& in, Options& options) {
  const base::ConfigNode* const node = in.find("events");
  if (!node) return;
  base::ConfigReader& events = in.section("events");
  read_set(events, "receive", options.receive, "a type of events, such as zha_event", parse_id);
  read_set(events, "send", options.send, "a type of events, such as doorbell", parse_id);
  if (options.send.contains("*"))
    in.report(*node, node->error("send: expected types of events, such as doorbell; \"*\" is for receive only"));
}

// A token is not shown, whatever is wrong.
void read_token(base::ConfigReader& in, Options& options) {
  const base::ConfigNode* const node = in.find("token");
  if (!node) return in.report(in.node(), in.node().error("token: missing; expected a long-lived access token"));
  auto text = node->text();
  if (!text || !Options::is_token(*text))
    return in.report(*node, node->error("expected a long-lived access token, in one line"));
  options.token = core::Secret(std::move(*text));
}

void read(base::ConfigReader& in, Options& options) {
  in.parsed("name", options.name, "letters, digits and _", parse_name);
  in.parsed("prefix", options.prefix, "lower-case letters, digits and _, such as cabin_", parse_prefix);
  in.parsed("name_prefix", options.name_prefix, "at most 64 bytes", parse_name_prefix);
  in.boolean("verify_certificate", options.verify_certificate);
  in.text("certificate", options.certificate);
  read_token(in, options);
  if (const base::ConfigNode* const node = in.find("url")) {
    const auto text = node->text();
    const auto url = text ? Options::address(*text) : base::Result<std::string>(std::unexpected(text.error()));
    if (url)
      options.url = *url;
    else
      in.report(*node, text ? node->error(url.error().message) : text.error());
  } else {
    in.report(in.node(), in.node().error("url: missing; expected an address such as http://192.168.1.10:8123"));
  }
  if (const base::ConfigNode* const node = in.find("include"))
    read_rule(in.section("include"), node, options.filter.include);
  if (const base::ConfigNode* const node = in.find("exclude"))
    read_rule(in.section("exclude"), node, options.filter.exclude);
  read_control(in, options);
  read_events(in, options);
  in.option("history", options.history, {{"local", Options::History::local}, {"remote", Options::History::remote}});
  in.option("registry", options.registry, {{"follow", Options::Registry::follow}, {"once", Options::Registry::once}});
  in.option("areas", options.areas,
            {{"match", Options::Areas::match}, {"existing", Options::Areas::existing}, {"none", Options::Areas::none}});
  in.option("services", options.services,
            {{"mirror", Options::ServicesHere::mirror}, {"none", Options::ServicesHere::none}});
  in.integer("max_updates", options.max_updates, 1, 1'000);
  in.boolean("transitive", options.transitive);
}

}  // namespace

bool Options::is_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxName && is_made_of(text, "_", true);
}

bool Options::is_prefix(std::string_view text) {
  return text.size() <= kMaxPrefix && !text.starts_with('_') && is_made_of(text, "_", false);
}

bool Options::is_token(std::string_view text) {
  return !text.empty() && text.size() <= kMaxToken &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

base::Result<std::string> Options::address(std::string_view text) {
  const auto wrong = [](std::string_view why) {
    return base::fail(base::ErrorCode::invalid, fmt::format("expected an address such as http://192.168.1.10:8123{}{}",
                                                            why.empty() ? "" : ": ", why));
  };
  if (!text.starts_with("http://") && !text.starts_with("https://")) return wrong("");
  const auto url = net::parse_url(text);
  if (!url) return wrong(url.error().message);
  if (!url->user.empty() || !url->password.empty()) return wrong("without a user name");
  if (url->target.contains('?')) return wrong("without a question mark");
  std::string address = url->str();
  while (address.ends_with('/')) address.pop_back();
  if (address.ends_with("/api")) address.resize(address.size() - 4);
  return address;
}

base::Result<Options> Options::parse(const base::ConfigNode& node) {
  Options options;
  base::ConfigReader in(node);
  read(in, options);
  return in.finish(options);
}

std::vector<const base::ConfigNode*> Options::hubs_of(const base::ConfigNode& section) {
  std::vector<const base::ConfigNode*> all;
  if (!section.is_list()) return {&section};
  for (const base::ConfigNode& each : section.items()) all.push_back(&each);
  return all;
}

std::vector<base::ConfigProblem> Options::check(const base::ConfigNode& section) {
  std::vector<base::ConfigProblem> all;
  const auto report = [&](const base::ConfigNode& node, std::string_view message) {
    all.push_back({node.place().line, &node, false, node.error(message).message});
  };
  Texts names;
  const auto hubs = hubs_of(section);
  if (hubs.empty()) report(section, "expected url and token of another hub");
  for (const base::ConfigNode* const hub : hubs) {
    if (hub->is_empty()) {
      report(*hub, "expected url and token of another hub");
      continue;
    }
    Options options;
    base::ConfigReader in(*hub);
    read(in, options);
    for (base::ConfigProblem& problem : in.problems()) all.push_back(std::move(problem));
    if (!names.insert(options.name).second)
      report(*hub, fmt::format("another hub of this list has the name {} already; give each a name of its own",
                               options.name));
  }
  return all;
}

Options Options::of(const core::Connection& connection, const core::Secrets& secrets) {
  Options options;
  options.name = connection.unique_id;
  options.url = base::text_at(connection.data, "url");
  if (const auto token = secrets.find(kToken); token != secrets.end()) options.token = token->second;
  const json::value* const verify = connection.data.if_contains("verify_certificate");
  options.verify_certificate = !verify || *verify != json::value(false);
  const json::object& chosen = connection.options;
  options.prefix = base::text_at(chosen, "prefix");
  options.name_prefix = base::text_at(chosen, "name_prefix");
  const std::string_view areas = base::text_view_at(chosen, "areas");
  options.areas = areas == "none" ? Areas::none : areas == "existing" ? Areas::existing : Areas::match;
  if (base::text_at(chosen, "history") == "remote") options.history = History::remote;
  for (const auto& [key, rule] :
       {std::pair{"include_domains", &options.filter.include}, std::pair{"exclude_domains", &options.filter.exclude}}) {
    const json::value* const domains = chosen.if_contains(key);
    if (!domains || !domains->is_array()) continue;
    for (const json::value& domain : domains->get_array())
      if (domain.is_string()) rule->domains.emplace(domain.get_string());
  }
  return options;
}

}  // namespace hearth::integrations::home_assistant
