// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/esphome.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "integrations/esphome/connection/posix_time_zone.h"
#include "integrations/esphome/flow/node_flow.h"
#include "integrations/esphome/node/names.h"

namespace hearth::integrations::esphome {
namespace {

using Health = domains::ConnectionHealth;

void read(base::ConfigReader& in, Esphome::Options& options) {
  in.text("host", options.host);
  in.integer("port", options.port, 1, 65'535);
  in.boolean("allow_service_calls", options.allow_service_calls);
  std::string password;
  in.text("password", password);
  options.password = core::Secret(std::move(password));
  if (const base::ConfigNode* const key = in.find("encryption_key")) {
    // The message does not show it.
    const auto text = key->text();
    const auto parsed = text ? parse_node_key(*text) : base::Result<NodeKey>(NodeKey());
    if (!text)
      in.report(*key, text.error());
    else if (!parsed)
      in.report(*key, key->error(parsed.error().message));
    else
      options.key = core::Secret(*text);
  }
  if (options.host.empty()) in.report(in.node(), in.node().error("host: missing; expected a name or an address"));
}

std::string client_info() {
  return "Hearth " HEARTH_VERSION;
}

SessionOptions session_options(const domains::IntegrationHome& home, const Esphome::Options& options) {
  SessionOptions made{.client_info = client_info(), .password = std::string(options.password.reveal())};
  const auto own = home.secrets.find(NodeFlow::kKey);
  const std::string_view key = own == home.secrets.end() ? options.key.reveal() : own->second.reveal();
  if (auto parsed = parse_node_key(key); parsed && !key.empty()) made.key = *parsed;
  return made;
}

}  // namespace

base::Result<Esphome::Options> Esphome::Options::parse(const base::ConfigNode& node) {
  Options options;
  base::ConfigReader in(node);
  read(in, options);
  return in.finish(options);
}

std::vector<base::ConfigProblem> Esphome::Options::check(const base::ConfigNode& section) {
  base::ConfigReader in(section);
  const base::ConfigNode* const nodes = in.find("nodes");
  if (nodes && !nodes->is_list() && !nodes->is_empty()) in.report(*nodes, nodes->mismatch("a list of nodes"));
  if (nodes && nodes->is_list()) {
    for (const base::ConfigNode& node : nodes->items()) {
      Options options;
      base::ConfigReader one(node);
      read(one, options);
      for (base::ConfigProblem& problem : one.problems()) in.report(std::move(problem));
    }
  }
  return in.problems();
}

Esphome::Options Esphome::Options::of(const core::Connection& connection) {
  Options options{.host = base::text_at(connection.data, "host")};
  const json::value* const port = connection.data.if_contains("port");
  if (port && port->is_number()) options.port = port->to_number<std::uint16_t>();
  const json::value* const allow = connection.options.if_contains("allow_service_calls");
  options.allow_service_calls = allow && *allow == json::value(true);
  return options;
}

std::vector<domains::FileConnection> Esphome::connections(const base::ConfigNode& section) {
  std::vector<domains::FileConnection> all;
  const base::ConfigNode* const nodes = section.find("nodes");
  if (!nodes) return all;
  for (const base::ConfigNode& node : nodes->items()) {
    const auto options = Options::parse(node);
    if (!options) continue;
    std::string address = fmt::format("{}:{}", options->host, options->port);
    const bool known =
        std::ranges::any_of(all, [&](const domains::FileConnection& each) { return each.unique_id == address; });
    if (!known) all.push_back({address, options->host, node});
  }
  return all;
}

std::unique_ptr<domains::ConnectionFlow> Esphome::flow(const domains::FlowHome& home,
                                                       const domains::Discovered* found) {
  return std::make_unique<NodeFlow>(home, found, client_info());
}

std::unique_ptr<domains::ConnectionFlow> Esphome::change_flow(const domains::FlowHome& home,
                                                              domains::ConnectionChange change) {
  const auto present = Options::of(*change.connection);
  NodeFlow::Change known{.connection = change.connection,
                         .host = present.host,
                         .port = present.port,
                         .allow_service_calls = present.allow_service_calls};
  if (const auto key = change.secrets.find(NodeFlow::kKey); key != change.secrets.end()) known.key = key->second;
  const auto node = [running = std::move(change.running)] { return static_cast<Esphome*>(running()); };
  known.takes_key = [node] {
    const Esphome* const there = node();
    return there && there->takes_key();
  };
  known.give_key = [node](std::string key, std::function<void(bool)> done) {
    Esphome* const there = node();
    if (!there || !there->takes_key()) return done(false);
    there->give_key(std::move(key), std::move(done));
  };
  return std::make_unique<NodeFlow>(home, std::move(known), client_info());
}

std::optional<domains::Discovered> Esphome::discovered(const net::MdnsInstance& service) {
  const std::string* const address = service.text("mac");
  const auto mac = address ? normal_mac(*address) : std::nullopt;
  if (!mac || service.port == 0) return {};
  const std::string* const name = service.text("friendly_name");
  return domains::Discovered{.unique_id = *mac,
                             .title = clean_text(name && !name->empty() ? *name : service.name),
                             .data = {{"host", service.host}, {"port", std::int64_t{service.port}}}};
}

void Esphome::found(const domains::Discovered&) {
  // A node that waits for a person, or was told to wait, is not tried sooner.
  if (wire_ && !in_session_ && !paused_) wire_->retry_now();
}

Esphome::Esphome(const domains::IntegrationHome& home, Options options)
    : home_(home), options_(std::move(options)), store_(home.hub, home.connection->entry_id) {}

base::Result<void> Esphome::start() {
  NodeOptions node{.host = options_.host,
                   .mac = normal_mac(home_.connection->unique_id).value_or(""),
                   .allow_service_calls = options_.allow_service_calls,
                   .accept = [this](const std::string& mac) { return check_mac(mac); }};
  SessionOptions session = session_options(home_, options_);
  encrypted_ = session.key.has_value();
  session_ = std::make_unique<NodeSession>(home_, std::move(node), std::move(session),
                                           [this](const SessionEnd& end) { ended(end); });
  session_->node().on_described([this] { described(); });
  session_->node().requests().on_refused([this] { raise_issues(); });
  if (const auto kept = store_.load()) session_->node().restore(*kept);
  read_time_zone();
  config_ = home_.bus.listen(core::event_type::kCoreConfigUpdated, [this](const core::Event&) { read_time_zone(); });
  if (!home_.reactor) return base::fail(base::ErrorCode::unavailable, "There are no links to devices.");
  NodeWire::Events& events = *this;
  wire_ = std::make_unique<NodeWire>(
      *home_.reactor, home_.bus,
      net::LinkOptions{.target = {.host = options_.host, .port = options_.port}, .greeting_limit = {}}, events);
  home_.report({Health::State::waiting, fmt::format("Connecting to {}.", options_.host)});
  return {};
}

void Esphome::stop() {
  again_ = {};
  config_ = {};
  if (session_) session_->close();
  if (wire_) wire_->stop();
}

void Esphome::unpair() {
  store_.remove();
}

void Esphome::read_time_zone() {
  session_->use_time_zone(posix_time_zone(home_.hub.config.load()->time_zone));
}

base::Result<void> Esphome::check_mac(const std::string& mac) const {
  const auto registry = home_.hub.registry.snapshot();
  const core::Device* const known = registry->devices.find("esphome." + mac);
  const auto all = home_.hub.integrations.load();
  for (const core::IntegrationStatus& status : *all) {
    const core::Connection& other = *status.connection;
    if (other.domain != home_.connection->domain || other.entry_id == home_.connection->entry_id) continue;
    if (other.unique_id == mac || (known && known->entry_id == other.entry_id)) {
      return base::fail(base::ErrorCode::conflict,
                        fmt::format("The node with the address {} has a connection already: {}.", mac, other.title));
    }
  }
  return {};
}

void Esphome::on_connected() {
  in_session_ = true;
  told_ = false;
  session_->begin(*wire_);
}

void Esphome::on_lost(const net::Failure& why) {
  if (in_session_) {
    session_->lost(why.message);
    told_ = false;
    return;
  }
  if (!std::exchange(told_, false)) home_.report({Health::State::waiting, why.message});
}

void Esphome::raise_issues() {
  const Node& node = session_->node();
  std::vector<core::ConnectionIssue> issues;
  const auto add = [&](std::string kind, std::string key = {}, std::string text = {}) {
    core::ConnectionIssue issue{std::move(kind), {{"node", node.title()}}};
    if (!key.empty()) issue.details[key] = std::move(text);
    issues.push_back(std::move(issue));
  };
  std::vector<std::string> gone;
  const auto registry = home_.hub.registry.snapshot();
  for (const NodeEntities::Gone& each : node.entities().gone()) {
    const auto* const known = registry->find_entity("esphome", each.domain, each.unique_id);
    if (known) gone.push_back(known->entity_id);
  }
  if (!gone.empty()) add("esphome_entities_gone", "entities", fmt::format("{}", fmt::join(gone, ", ")));
  if (const auto& refused = node.requests().refused(); !refused.empty())
    add("esphome_calls_refused", "services", fmt::format("{}", fmt::join(refused, ", ")));
  if (floods_) add("esphome_flood");
  home_.raise(std::move(issues));
}

void Esphome::described() {
  wire_->set_ready();
  store_.save(session_->node().description());
  floods_ = false;
  raise_issues();
  home_.report({});
}

void Esphome::ended(const SessionEnd& end) {
  in_session_ = false;
  told_ = true;
  if (end.cause == SessionEnd::Cause::closed) return;
  base::log_info("esphome", "{}: {}", options_.host, end.text);
  home_.report({end.waits_for_person() ? Health::State::needs_person : Health::State::waiting, end.text});
  if (end.waits_for_person()) return try_again_after(kNextTry);
  if (end.cause != SessionEnd::Cause::flood) return;
  floods_ = true;
  raise_issues();
  try_again_after(kFloodPause);
}

void Esphome::try_again_after(base::Duration pause) {
  wire_->stop();
  paused_ = true;
  again_ = home_.bus.schedule(pause, [this] {
    paused_ = false;
    wire_->retry_now();
  });
}

bool Esphome::takes_key() const {
  return session_ && session_->ready() && session_->node().info().takes_key() && !encrypted_;
}

json::object Esphome::diagnosis() const {
  json::object report = session_ ? session_->diagnosis() : json::object();
  report["host"] = options_.host;
  report["port"] = options_.port;
  if (!session_) return report;
  const Node& node = session_->node();
  report["mac"] = node.mac();
  report["name"] = clean_text(node.info().name());
  report["esphome_version"] = clean_text(node.info().esphome_version());
  report["deep_sleep"] = node.info().has_deep_sleep();
  report["takes_key"] = node.info().takes_key();
  report["entities"] = node.entities().size();
  json::array gone;
  for (const NodeEntities::Gone& each : node.entities().gone()) gone.emplace_back(each.unique_id);
  report["gone"] = std::move(gone);
  return report;
}

}  // namespace hearth::integrations::esphome
