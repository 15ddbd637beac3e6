// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/node/node.h"

#include <fmt/format.h>
#include <sodium.h>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/node/names.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::size_t kMaxComplaints = 100;  // of a session

}  // namespace

Node::Node(const domains::IntegrationHome& home, NodeSender& sender, NodeOptions options)
    : context_{home.hub,
               home.domains,
               home.bus,
               sender,
               options.host,
               home.connection->entry_id,
               [this](std::string_view what, std::string_view message) { complain(what, message); }},
      options_(std::move(options)),
      mac_(options_.mac),
      devices_(home.hub, options_.host, home.connection->entry_id),
      entities_(context_, devices_),
      actions_(context_),
      requests_(context_, options_.allow_service_calls) {}

void Node::complain(std::string_view what, std::string_view message) {
  if (complaints_.size() >= kMaxComplaints || !complaints_.emplace(what).second) return;
  base::log_warning("esphome", "{}", message);
}

std::string Node::title() const {
  const std::string& name = info_.friendly_name().empty() ? info_.name() : info_.friendly_name();
  return name.empty() ? options_.host : clean_text(name);
}

base::Result<void> Node::describe(const proto::NodeInfo& info) {
  const auto mac = normal_mac(info.mac_address());
  if (!mac) return base::fail(base::ErrorCode::invalid, "The node does not say its MAC address.");
  if (!mac_.empty() && *mac != mac_) {
    return base::fail(base::ErrorCode::conflict,
                      fmt::format("{} is now another node: {} with the address {}; expected {}.", options_.host,
                                  clean_text(info.name()), *mac, mac_));
  }
  if (options_.accept) {
    if (auto accepted = options_.accept(*mac); !accepted) return accepted;
  }
  mac_ = *mac;
  info_ = info;
  context_.name = title();
  complaints_.clear();
  entities_.begin();
  actions_.begin();
  return {};
}

bool Node::take_listed(std::uint32_t type, std::string_view payload) {
  if (type == message::list_action) return actions_.take(payload);
  const Component* const component = component_of_list(type);
  return component ? entities_.take(*component, payload) : receive(type, payload);
}

void Node::put() {
  devices_.put(mac_, info_);
  const std::string name = clean_text(info_.name());
  entities_.finish(mac_, name, connected_);
  actions_.finish(name);
}

void Node::become_ready() {
  grace_ = {};
  connected_ = true;
  put();
  if (on_described_) on_described_();
  // Callers may ask the node for something now.
  entities_.node_is_ready();
}

bool Node::receive(std::uint32_t type, std::string_view payload) {
  if (const Component* const component = component_of_state(type)) return entities_.receive(*component, payload);
  switch (type) {
    case message::action_result:
      return actions_.receive(payload);
    case message::hub_request:
      return requests_.receive_request(payload, devices_.id_of(0).value_or(""));
    case message::state_wanted:
      return requests_.receive_state_wanted(payload);
    default:
      return true;  // of something that the hub does not know
  }
}

void Node::connection_lost(bool at_once) {
  if (!std::exchange(connected_, false)) return;
  actions_.fail_calls();
  requests_.forget();
  const base::Duration grace = at_once ? base::Duration(0) : info_.has_deep_sleep() ? kSleepGrace : kGrace;
  grace_ = context_.bus.schedule(grace, [this] { entities_.set_available(false); });
}

bool Node::restore(const json::object& kept) {
  std::string bytes(base::text_view_at(kept, "node").size() / 2, '\0');
  std::size_t size = 0;
  const std::string_view digits = base::text_view_at(kept, "node");
  if (digits.empty() || sodium_hex2bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), digits.data(),
                                       digits.size(), nullptr, &size, nullptr) != 0)
    return false;
  const auto info = parse_message<proto::NodeInfo>(std::string_view(bytes).substr(0, size));
  const auto mac = info ? normal_mac(info->mac_address()) : std::nullopt;
  if (!mac || (!mac_.empty() && mac_ != *mac)) return false;
  mac_ = *mac;
  info_ = *info;
  context_.name = title();
  entities_.restore(kept);
  connected_ = true;  // it is expected to be there
  put();
  connected_ = false;
  grace_ = context_.bus.schedule(info_.has_deep_sleep() ? kSleepGrace : kStartGrace,
                                 [this] { entities_.set_available(false); });
  return true;
}

json::object Node::description() const {
  json::object kept = entities_.description();
  const std::string bytes = info_.SerializeAsString();
  std::string digits(bytes.size() * 2 + 1, '\0');
  sodium_bin2hex(digits.data(), digits.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  digits.pop_back();
  kept["node"] = std::move(digits);
  return kept;
}

void Node::withdraw() {
  grace_ = {};
  entities_.withdraw();
  actions_.begin();
  actions_.finish({});
}

}  // namespace hearth::integrations::esphome
