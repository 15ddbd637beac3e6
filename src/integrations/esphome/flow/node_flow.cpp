// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/flow/node_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "base/text/text.h"
#include "integrations/esphome/node/names.h"

namespace hearth::integrations::esphome {
namespace {

using core::ConnectionError;
using Field = domains::FormField;

constexpr std::int64_t kPort = 6053;

std::int64_t port_at(const json::object& fields) {
  const json::value* const port = fields.if_contains("port");
  return port && port->is_int64() ? port->get_int64() : kPort;
}

bool is_host(std::string_view text) {
  return !text.empty() && text.size() <= 253 && std::ranges::none_of(text, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '/' || c == '@' || c == 0x7F;
  });
}

ConnectionError error_of(net::Reason reason) {
  if (reason == net::Reason::invalid_host) return ConnectionError::invalid_host;
  if (reason == net::Reason::timeout) return ConnectionError::timeout;
  return ConnectionError::cannot_connect;
}

}  // namespace

NodeFlow::NodeFlow(const domains::FlowHome& home, const domains::Discovered* found, std::string client_info)
    : home_(home),
      client_info_(std::move(client_info)),
      port_(static_cast<std::uint16_t>(kPort)),
      recent_(home.hub.clock) {
  if (!found) return;
  step_ = Step::confirm;
  name_ = found->title;
  host_ = base::text_at(found->data, "host");
  port_ = static_cast<std::uint16_t>(std::clamp<std::int64_t>(port_at(found->data), 1, 0xFFFF));
}

NodeFlow::NodeFlow(const domains::FlowHome& home, Change change, std::string client_info)
    : home_(home),
      client_info_(std::move(client_info)),
      step_(Step::change),
      name_(change.connection->title),
      host_(change.host),
      port_(change.port),
      key_(change.key),
      change_(std::move(change)),
      allow_service_calls_(change_->allow_service_calls),
      recent_(home.hub.clock) {}

domains::FlowForm NodeFlow::form(Errors errors) const {
  domains::FlowForm made{.step_id = "user", .fields = {}, .errors = std::move(errors), .last_step = false};
  if (step_ != Step::user) made.placeholders["name"] = name_.empty() ? host_ : name_;
  switch (step_) {
    case Step::user:
      made.fields = {{.name = "host", .required = true},
                     {.name = "port", .type = Field::Type::integer, .otherwise = kPort}};
      break;
    case Step::confirm:
      made.step_id = "discovery_confirm";
      break;
    case Step::key:
      made.step_id = "encryption_key";
      made.fields = {{.name = std::string(kKey), .required = true, .secret = true}};
      made.last_step = true;
      break;
    case Step::change:
      made.step_id = "reconfigure";
      made.fields = {{.name = "host", .required = true, .otherwise = json::value(host_)},
                     {.name = "port", .type = Field::Type::integer, .otherwise = std::int64_t{port_}},
                     {.name = std::string(kKey), .secret = true},
                     {.name = "allow_service_calls", .type = Field::Type::boolean, .otherwise = allow_service_calls_}};
      if (change_->takes_key())
        made.fields.push_back({.name = "new_key", .type = Field::Type::boolean, .otherwise = wants_new_key_});
      break;
    case Step::new_key:
      made.step_id = "new_key";
      made.placeholders["key"] = new_key_;
      made.last_step = true;
      break;
  }
  return made;
}

void NodeFlow::begin(Reply reply) {
  reply(form());
}

bool NodeFlow::read_address(const json::object& fields, const Reply& reply) {
  const std::string host(base::trim_blanks(base::text_at(fields, "host")));
  const std::int64_t port = port_at(fields);
  if (is_host(host)) host_ = host;
  if (port >= 1 && port <= 0xFFFF) port_ = static_cast<std::uint16_t>(port);
  if (host_ == host && port_ == port) return true;
  reply(form({{host_ == host ? "port" : "host", ConnectionError::invalid_host}}));
  return false;
}

void NodeFlow::submit(const json::object& fields, Reply reply) {
  if (step_ == Step::change) return submit_change(fields, std::move(reply));
  if (step_ == Step::new_key) return submit_new_key(std::move(reply));
  if (step_ == Step::user) {
    if (!read_address(fields, reply)) return;
    key_ = {};
  }
  if (step_ == Step::key) {
    const std::string key(base::trim_blanks(base::text_at(fields, kKey)));
    if (!parse_node_key(key)) return reply(form({{std::string(kKey), ConnectionError::invalid_psk}}));
    key_ = core::Secret(key);
  }
  reply_ = std::move(reply);
  try_node();
}

void NodeFlow::submit_change(const json::object& fields, Reply reply) {
  allow_service_calls_ = fields.at("allow_service_calls").as_bool();
  const json::value* const new_key = fields.if_contains("new_key");
  wants_new_key_ = new_key && new_key->as_bool();
  if (!read_address(fields, reply)) return;
  const std::string key(base::trim_blanks(base::text_at(fields, kKey)));
  if (!key.empty() && !parse_node_key(key)) return reply(form({{std::string(kKey), ConnectionError::invalid_psk}}));
  key_ = key.empty() ? change_->key : core::Secret(key);
  reply_ = std::move(reply);
  // A node that sleeps need not be awake for what it does not notice.
  const bool same_node = host_ == change_->host && port_ == change_->port && key_ == change_->key;
  if (same_node) return changed();
  try_node();
}

void NodeFlow::changed() {
  if (!wants_new_key_) return answer(result(change_->connection->title, change_->connection->unique_id));
  // It is shown before the node has it: whoever loses it then would have to flash the node anew.
  new_key_ = make_node_key();
  step_ = Step::new_key;
  answer(form());
}

void NodeFlow::submit_new_key(Reply reply) {
  reply_ = std::move(reply);
  change_->give_key(new_key_, [self = std::weak_ptr(self_)](bool success) {
    const auto there = self.lock();
    if (!there) return;
    NodeFlow& flow = **there;
    if (!success) return flow.answer(flow.form({{"base", ConnectionError::cannot_connect}}));
    flow.key_ = core::Secret(flow.new_key_);
    flow.answer(flow.result(flow.change_->connection->title, flow.change_->connection->unique_id));
  });
}

domains::FlowResult NodeFlow::result(std::string title, std::string unique_id) const {
  domains::FlowResult made{.title = std::move(title),
                           .unique_id = std::move(unique_id),
                           .data = {{"host", host_}, {"port", port_}},
                           .secrets = {}};
  if (!key_.empty()) made.secrets.emplace(kKey, key_);
  if (allow_service_calls_) made.options["allow_service_calls"] = true;
  return made;
}

void NodeFlow::try_node() {
  SessionOptions options{.client_info = client_info_};
  if (!key_.empty()) options.key = parse_node_key(key_.reveal()).value();
  made_.reset();
  NodeWire::Events& of_wire = *this;
  SessionEvents& of_session = *this;
  // In this order: the session uses the wire.
  session_.reset();
  wire_ = std::make_unique<NodeWire>(*home_.reactor, home_.bus,
                                     net::LinkOptions{.target = {.host = host_, .port = port_}}, of_wire);
  session_ = std::make_unique<Session>(home_.bus, home_.hub.clock, std::move(options), *wire_, of_session, recent_);
}

void NodeFlow::on_lost(const net::Failure& why) {
  session_->lost(why.message);
  // Unless that has been the end of the session.
  if (reply_) answer(form({{"base", error_of(why.reason)}}));
}

base::Result<void> NodeFlow::on_node(const proto::NodeInfo& info) {
  const auto mac = normal_mac(info.mac_address());
  if (!mac) return base::fail(base::ErrorCode::invalid, "The node does not say its MAC address.");
  const std::string& name = info.friendly_name().empty() ? info.name() : info.friendly_name();
  made_ = result(clean_text(name), *mac);
  // All is known: its entities are the business of the connection.
  return base::fail(base::ErrorCode::conflict, "The node is known.");
}

void NodeFlow::on_end(const SessionEnd& end) {
  wire_->stop();
  if (reply_) ended(end);
}

void NodeFlow::ended(const SessionEnd& end) {
  using enum SessionEnd::Cause;
  if (made_ && change_) {
    if (made_->unique_id != change_->connection->unique_id) return answer(domains::FlowAbort{"unique_id_mismatch"});
    return changed();
  }
  if (made_) {
    // A node of configuration.yaml has another unique id, but the same device.
    const auto registry = home_.hub.registry.snapshot();
    const core::Device* const known = registry->devices.find("esphome." + made_->unique_id);
    const auto all = home_.hub.integrations.load();
    const bool has_connection = known && std::ranges::any_of(*all, [&](const core::IntegrationStatus& status) {
                                  return status.connection->entry_id == known->entry_id;
                                });
    if (has_connection) return answer(domains::FlowAbort{"already_configured"});
    return answer(std::move(*made_));
  }
  switch (end.cause) {
    case needs_key:
      if (change_) return answer(form({{std::string(kKey), ConnectionError::invalid_auth}}));
      step_ = Step::key;
      return answer(form());
    case wrong_key:
      return answer(form({{std::string(kKey), ConnectionError::invalid_auth}}));
    case no_encryption:
      // The key is not needed any more.
      key_ = {};
      later_ = home_.bus.schedule(base::Duration(0), [this] { try_node(); });
      return;
    case wrong_password:
      return answer(form({{"base", ConnectionError::invalid_auth}}));
    case unsupported:
    case broken:
    case refused:
      return answer(form({{"base", ConnectionError::unsupported}}));
    default:
      return answer(form({{"base", ConnectionError::cannot_connect}}));
  }
}

// Later, because the answer may be the end of this, which is in the middle of a call.
void NodeFlow::answer(domains::FlowStep step) {
  if (wire_) wire_->stop();
  later_ = home_.bus.schedule(base::Duration(0),
                              [reply = std::exchange(reply_, {}), step = std::move(step)] { reply(step); });
}

}  // namespace hearth::integrations::esphome
