// SPDX-License-Identifier: Apache-2.0
#include "integrations/faulty/bridge.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "domains/entities/kinds.h"

namespace hearth::integrations::faulty {
namespace {

constexpr std::string_view kBridge = "bridge", kRightPin = "1234";

class BridgeFlow final : public domains::ConnectionFlow {
 public:
  BridgeFlow(const domains::FlowHome& home, const domains::Discovered* found) : home_(home) {
    if (!found) return;
    found_ = true;
    host_ = base::text_at(found->data, "host");
  }

  void begin(Reply reply) override { reply(found_ ? pin_form({}) : host_form({})); }

  void submit(const json::object& fields, Reply reply) override {
    if (host_.empty()) return take_host(base::text_at(fields, "host"), reply);
    const std::string pin = base::text_at(fields, "pin");
    // Later, as a device that is asked.
    timer_ = home_.bus.schedule(std::chrono::milliseconds(1), [this, pin, reply] {
      if (pin != kRightPin) return reply(pin_form({{"pin", core::ConnectionError::invalid_pin}}));
      core::Secrets secrets;
      secrets.emplace("pin", core::Secret(pin));
      reply(domains::FlowResult{
          .title = "Bridge " + host_, .unique_id = host_, .data = {{"host", host_}}, .secrets = secrets});
    });
  }

 private:
  static domains::FlowForm host_form(std::map<std::string, core::ConnectionError> errors) {
    return {.step_id = "user",
            .fields = {{.name = "host", .required = true},
                       {.name = "port", .type = domains::FormField::Type::integer, .otherwise = 80},
                       {.name = "kind", .type = domains::FormField::Type::select, .options = {"old", "new"}},
                       {.name = "secure", .type = domains::FormField::Type::boolean, .otherwise = true}},
            .errors = std::move(errors),
            .last_step = false};
  }
  domains::FlowForm pin_form(std::map<std::string, core::ConnectionError> errors) const {
    return {.step_id = "pin",
            .fields = {{.name = "pin", .required = true, .secret = true}},
            .errors = std::move(errors),
            .placeholders = {{"host", host_}},
            .last_step = true};
  }

  void take_host(std::string host, const Reply& reply) {
    if (host == "throws") throw std::runtime_error("the host is too much");
    if (host == "aborts") return reply(domains::FlowAbort{"unsupported"});
    if (host == "nobody") return reply(host_form({{"base", core::ConnectionError::cannot_connect}}));
    host_ = std::move(host);
    reply(pin_form({}));
  }

  const domains::FlowHome home_;
  bool found_ = false;
  std::string host_;
  core::Timer timer_;
};

class BridgeChange final : public domains::ConnectionFlow {
 public:
  explicit BridgeChange(domains::ConnectionChange change) : change_(std::move(change)) {}

  void begin(Reply reply) override { reply(form({})); }
  void submit(const json::object& fields, Reply reply) override {
    const std::string pin = base::text_at(fields, "pin");
    if (pin != kRightPin) return reply(form({{"pin", core::ConnectionError::invalid_pin}}));
    core::Secrets secrets;
    secrets.emplace("pin", core::Secret(pin));
    reply(domains::FlowResult{.title = "",
                              .unique_id = change_.connection->unique_id,
                              .data = change_.connection->data,
                              .secrets = secrets,
                              .options = {{"unlocked", true}}});
  }

 private:
  domains::FlowForm form(std::map<std::string, core::ConnectionError> errors) const {
    return {.step_id = "reconfigure",
            .fields = {{.name = "pin", .required = true, .secret = true}},
            .errors = std::move(errors),
            .placeholders = {{"name", change_.connection->title}},
            .last_step = true};
  }

  const domains::ConnectionChange change_;
};

}  // namespace

base::Result<Bridge::Options> Bridge::Options::parse(const base::ConfigNode& node) {
  Options options;
  if (node.is_text()) {
    options.host = node.text().value();
    return options;
  }
  std::vector<std::string> hosts;
  base::ConfigReader in(node);
  in.texts("hosts", hosts);
  return in.finish(options);
}

std::vector<base::ConfigProblem> Bridge::Options::check(const base::ConfigNode& node) {
  const auto parsed = parse(node);
  if (parsed) return {};
  return {{node.place().line, &node, false, parsed.error().message}};
}

Bridge::Options Bridge::Options::of(const core::Connection& connection) {
  return {base::text_at(connection.data, "host")};
}

Bridge::Bridge(const domains::IntegrationHome& home, Options options) : home_(home), options_(std::move(options)) {}

std::vector<domains::FileConnection> Bridge::connections(const base::ConfigNode& section) {
  std::vector<domains::FileConnection> all;
  const base::ConfigNode* const hosts = section.find("hosts");
  if (!hosts) return all;
  for (const base::ConfigNode& host : hosts->items()) {
    const std::string name = host.text().value();
    all.push_back({name, "Bridge " + name, host});
  }
  return all;
}

std::unique_ptr<domains::ConnectionFlow> Bridge::flow(const domains::FlowHome& home, const domains::Discovered* found) {
  return std::make_unique<BridgeFlow>(home, found);
}

std::unique_ptr<domains::ConnectionFlow> Bridge::change_flow(const domains::FlowHome&,
                                                             domains::ConnectionChange change) {
  return std::make_unique<BridgeChange>(std::move(change));
}

base::Result<void> Bridge::start() {
  const std::string& host = options_.host;
  if (host.starts_with("fails")) return base::fail(base::ErrorCode::unavailable, "The bridge does not answer.");
  const core::Device device = home_.hub.registry.put_device({.id = fmt::format("{}.{}", kBridge, host),
                                                             .integration = std::string(kBridge),
                                                             .entry_id = home_.connection->entry_id,
                                                             .name = core::OptionalText("Bridge " + host),
                                                             .identifiers = {{std::string(kBridge), host}}});
  domains::EntityInfo info{.integration = std::string(kBridge),
                           .unique_id = host,
                           .object_id = "bridge_" + host,
                           .name = "Relay",
                           .device_id = core::OptionalText(device.id),
                           .has_entity_name = true,
                           .entry_id = home_.connection->entry_id};
  auto relay = home_.domains.entities().add(
      std::make_unique<domains::Thing>(domains::kSwitch, std::move(info), domains::Abilities(), this));
  if (!relay) return std::unexpected(relay.error());
  relay_ = *relay;
  relay_->report({.value = false});
  using enum domains::ConnectionHealth::State;
  if (host.starts_with("sleeps")) home_.report({waiting, "The bridge sleeps."});
  if (host.starts_with("locked") && !home_.connection->options.contains("unlocked"))
    home_.report({needs_person, "The bridge wants another PIN."});
  return {};
}

void Bridge::unpair() {
  base::log_info("bridge", "{} was told that it is free", options_.host);
}

json::object Bridge::diagnosis() const {
  const auto pin = home_.secrets.find("pin");
  const std::string_view known = pin == home_.secrets.end() ? "none" : pin->second.reveal();
  return {{"messages", json::array{fmt::format("the PIN is {}", known)}}, {"host", options_.host}};
}

void Bridge::act(const domains::Action& action, const json::object&) {
  relay_->report({.value = json::value(action.value)});
}

}  // namespace hearth::integrations::faulty
