// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/hosts/hosts.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "automation/config/action_parser.h"
#include "automation/config/item_node.h"
#include "base/digest.h"
#include "building_blocks/hosts/host_source.h"

namespace hearth::building_blocks {
namespace {

using base::ConfigNode;
using base::ConfigReader;

constexpr std::string_view kMacExpected = "a MAC address such as 00:11:22:33:44:55";
constexpr std::string_view kAddressExpected = "an IPv4 address such as 192.168.1.255";
constexpr int kMostEchoes = 20;
constexpr int kLastPort = 65'535;

std::optional<std::string> broadcast_address(std::string_view text) {
  return is_broadcast_address(text) ? std::optional(std::string(text)) : std::nullopt;
}

std::string read_host(ConfigReader& in) {
  std::string host = automation::read_text(in, "host");
  constexpr std::size_t kLongestHost = 253;
  if (host.size() > kLongestHost || host.find_first_of(std::string_view(" \t\r\n/\0", 6)) != std::string::npos)
    automation::note(in, *in.find("host"), "expected a name or an address of a host");
  return host;
}

void read_port(ConfigReader& in, EchoOptions& echo) {
  int port = 0;
  in.integer("port", port, 1, kLastPort);
  if (port != 0) echo.port = port;
}

std::shared_ptr<const automation::Item> read_turn_off(ConfigReader& in, const PolledPlan& plan) {
  const ConfigNode* const node = in.find("turn_off");
  if (!node || node->is_empty()) return nullptr;
  automation::Item item;
  item.kind = automation::ItemKind::script;
  item.stored_traces = 0;  // clients ask for those of automations and scripts
  item.unique_id = fmt::format("wake_on_lan/{}/turn_off", plan.place);
  item.alias = fmt::format("{}: turn_off", plan.place);
  item.mode = automation::Mode::queued;
  item.fingerprint = base::fingerprint(base::to_json(automation::written_as(*node)));
  item.actions = automation::read_block(in, node, "turn_off");
  return std::make_shared<const automation::Item>(std::move(item));
}

void read_wake_switch(const std::string& domain, ConfigReader& in, PolledPlan& plan) {
  auto options = std::make_shared<HostSource::Options>();
  PolledEntityPlan& entity = read_entity(in, domain, "Wake on LAN", plan);
  WakeTarget target;
  if (!in.find("mac")) automation::note_missing(in, in.node(), "mac");
  in.parsed("mac", target.mac, kMacExpected, parse_mac);
  in.parsed("broadcast_address", target.address, kAddressExpected, broadcast_address);
  in.integer("broadcast_port", target.port, 1, kLastPort);
  options->wake = std::move(target);
  options->host = read_host(in);
  options->echo.count = 1;
  read_port(in, options->echo);
  options->turn_off = read_turn_off(in, plan);
  entity.has_state = !options->host.empty();
  read_scan_interval(in, plan, std::chrono::seconds(30));
  if (!entity.has_state) plan.scan_interval = {};
  plan.source = [options](const PolledEnvironment& environment) {
    return std::make_unique<HostSource>(environment, options);
  };
}

}  // namespace

void read_ping(const automation::Sections& sections, PlanReader& reader) {
  reader.platforms_of(sections, kPing, "binary_sensor", [&](const std::string& domain, const ConfigNode& item) {
    reader.add(kPing, item, [&](ConfigReader& in, PolledPlan& plan) {
      auto options = std::make_shared<HostSource::Options>();
      const std::string host = read_host(in);
      PolledEntityPlan& entity = read_entity(in, domain, host.empty() ? "Ping" : "Ping " + host, plan);
      if (entity.device_class.empty()) entity.device_class = "connectivity";
      for (const char* const name :
           {"round_trip_time_avg", "round_trip_time_max", "round_trip_time_mdev", "round_trip_time_min"})
        entity.json_attributes.emplace_back(name);
      if (host.empty()) automation::note_missing(in, in.node(), "host");
      options->host = host;
      in.integer("count", options->echo.count, 1, kMostEchoes);
      read_port(in, options->echo);
      read_scan_interval(in, plan, std::chrono::seconds(30));
      plan.source = [options](const PolledEnvironment& environment) {
        return std::make_unique<HostSource>(environment, options);
      };
    });
  });
}

void read_wake_on_lan(const automation::Sections& sections, PlanReader& reader) {
  for (const auto& [key, section] : sections.commands) {
    // Files that name it want the service, which is always there.
    if (key == kWakeOnLan && !section.is_empty() && !section.broken())
      reader.fault(section,
                   section.mismatch("nothing: the service needs no keys, and switches are platforms of switch"));
  }
  reader.platforms_of(sections, kWakeOnLan, "switch", [&](const std::string& domain, const ConfigNode& item) {
    reader.add(kWakeOnLan, item, [&](ConfigReader& in, PolledPlan& plan) { read_wake_switch(domain, in, plan); });
  });
}

std::vector<core::Registration> add_wake_services(core::Hub& hub) {
  core::ServiceDescription description;
  description.domain = kWakeOnLan;
  description.service = "send_magic_packet";
  description.name = "Send magic packet";
  description.description = "Wakes a machine in the network.";
  description.has_target = false;
  description.stands_for = description.service;
  description.fields = {
      {"mac", "The address of its network card.", "00:11:22:33:44:55", core::field::Text{}, true},
      {"broadcast_address", "The IPv4 address that hears it, if not all of the network does.", "192.168.1.255",
       core::field::Text{}},
      {"broadcast_port", "The UDP port; 9 if nothing is said.", 9, core::field::Integer{1, kLastPort}},
  };
  std::vector<core::Registration> services;
  services.push_back(
      hub.services.add(std::move(description), [](const core::ServiceCall& call, const core::ServiceReply& reply) {
        const auto unfit_field = [&](std::string_view field, std::string_view expected) {
          return reply(base::fail(base::ErrorCode::invalid, fmt::format("{}: expected {}", field, expected)));
        };
        WakeTarget target;
        const json::object& data = call.data();
        const auto mac = parse_mac(std::string_view(data.at("mac").get_string()));
        if (!mac) return unfit_field("mac", kMacExpected);
        target.mac = *mac;
        if (const json::value* const address = data.if_contains("broadcast_address"))
          target.address = std::string(address->get_string());
        if (!is_broadcast_address(target.address)) return unfit_field("broadcast_address", kAddressExpected);
        if (const json::value* const port = data.if_contains("broadcast_port")) target.port = port->to_number<int>();
        if (const auto sent = send_magic_packet(target); !sent) return reply(std::unexpected(sent.error()));
        reply(json::value());
      }));
  return services;
}

}  // namespace hearth::building_blocks
