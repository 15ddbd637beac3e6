// SPDX-License-Identifier: Apache-2.0
#include "app/sections/fleet_section.h"

#include "app/files/rights_file.h"
#include "fleet/batch.h"
#include "recorder/log/retention.h"

namespace hearth::app {
namespace {

using namespace std::chrono_literals;

std::optional<std::string> parse_site(std::string_view text) {
  return fleet::is_site_name(text) ? std::optional(std::string(text)) : std::nullopt;
}

std::optional<std::string> parse_server(std::string_view text) {
  const bool known = text.starts_with("nats://") || text.starts_with("tls://");
  return known && text.find("://") + 3 < text.size() ? std::optional(std::string(text)) : std::nullopt;
}

// A stream's name, or the first part of a subject.
std::optional<std::string> parse_token(std::string_view text) {
  const bool good = !text.empty() && text.size() <= 64 &&
                    text.find_first_not_of(
                        "abcdefghijklmnopqrstuvwxyz"
                        "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789_-") == std::string_view::npos;
  return good ? std::optional(std::string(text)) : std::nullopt;
}

void need(base::ConfigReader& in, const base::ConfigNode& section, std::string_view key, bool given) {
  if (given) return;
  in.report(section, section.error(std::string(key) + " is missing."));
}

}  // namespace

std::optional<FleetSettings> read_fleet(base::ConfigReader& in) {
  FleetSettings fleet;
  using Role = FleetSettings::Role;
  in.option("role", fleet.role, {{"site", Role::site}, {"portal", Role::portal}});
  in.parsed("site", fleet.site, "a name such as lake_house, of at most 32 lower-case letters, digits and _",
            parse_site);
  in.parsed_list("servers", fleet.link.servers, "an address such as tls://fleet.example.org:4222", parse_server);
  in.text("credentials", fleet.link.credentials);
  in.text("user", fleet.link.user);
  in.text("password", fleet.link.password);
  base::ConfigReader& tls = in.section("tls");
  tls.text("ca", fleet.link.ca);
  tls.text("certificate", fleet.link.certificate);
  tls.text("key", fleet.link.key);
  in.parsed("stream", fleet.link.stream, "letters, digits, _ and -", parse_token);
  in.parsed("prefix", fleet.link.prefix, "letters, digits, _ and -", parse_token);
  in.duration("keep", fleet.link.keep, 1h, std::chrono::days(3'650));
  std::size_t most = static_cast<std::size_t>(fleet.link.max_bytes);
  in.byte_size("max_size", most, 1 << 20, std::uint64_t{1} << 50);
  fleet.link.max_bytes = static_cast<std::int64_t>(most);
  in.integer("replicas", fleet.link.replicas, 1, 5);
  if (in.find("calls")) {
    core::Policy policy;
    policy.read.all = true;
    read_selection(in.section("calls"), policy.control);
    fleet.calls = std::make_shared<const core::Policy>(std::move(policy));
  }
  const base::ConfigNode& node = in.node();
  if (node.entries().empty()) return {};
  need(in, node, "role", fleet.role != Role::none || in.find("role"));
  need(in, node, "servers", !fleet.link.servers.empty() || in.find("servers"));
  if (fleet.role == Role::site) need(in, node, "site", !fleet.site.empty() || in.find("site"));
  if (fleet.role == Role::none) return {};
  return fleet;
}

}  // namespace hearth::app
