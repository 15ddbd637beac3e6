// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/outside_watches.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>

#include "base/log/log.h"
#include "base/net/ip_network.h"
#include "base/text/utf8.h"

namespace hearth::automation {
namespace {

using templates::Value;

// Of this machine and of private networks (RFC 1918, RFC 4193, and link-local ones).
bool is_local_address(const std::string& text) {
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(text, error);
  if (error) return false;
  constexpr const char* kLocal[] = {"127.0.0.0/8",    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",
                                    "169.254.0.0/16", "::1",        "fc00::/7",      "fe80::/10"};
  return std::ranges::any_of(kLocal,
                             [&](const char* network) { return base::IpNetwork::parse(network)->contains(address); });
}

std::string decoded(std::string_view text) {
  const auto hex = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0) {
      out += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return base::utf8_repaired(out);
}

// The fields of a form, as application/x-www-form-urlencoded.
Value form_value(std::string_view body) {
  templates::Dict fields;
  while (!body.empty()) {
    const std::string_view field = body.substr(0, body.find('&'));
    const auto equals = field.find('=');
    if (!field.empty())
      fields.set(Value(decoded(field.substr(0, equals))),
                 Value(equals == std::string_view::npos ? std::string() : decoded(field.substr(equals + 1))));
    body.remove_prefix(std::min(field.size() + 1, body.size()));
  }
  return Value::dict(std::move(fields));
}

}  // namespace

MqttWatch::MqttWatch(const Trigger& trigger, Home& home, templates::Variables variables, Fire fire)
    : trigger_(trigger),
      kind_(std::get<MqttTrigger>(trigger.kind)),
      home_(home),
      variables_(std::move(variables)),
      fire_(std::move(fire)) {
  integrations_ =
      home.hub.bus.listen(core::event_type::kIntegrationUpdated, [this](const core::Event&) { subscribe(); });
  subscribe();
  if (!broker_)
    base::log_warning("automation", "the trigger mqtt of {} waits for a broker, which mqtt: names", kind_.topic);
}

void MqttWatch::subscribe() {
  core::MqttBroker* const broker = home_.hub.mqtt;
  if (broker == broker_) return;
  subscription_ = {};
  broker_ = broker;
  if (!broker) return;
  auto subscribed =
      broker->subscribe(kind_.topic, kind_.qos, [this](const core::MqttMessage& message) { on_message(message); });
  if (subscribed)
    subscription_ = std::move(*subscribed);
  else
    base::log_warning("automation", "the trigger mqtt of {}: {}", kind_.topic, subscribed.error().message);
}

void MqttWatch::on_message(const core::MqttMessage& message) const {
  const std::string payload = base::utf8_repaired(message.payload());
  const json::value* const parsed = message.json();
  if (kind_.payload) {
    std::string text = payload;
    if (kind_.value_template) {
      templates::Variables own{{"value", Value(payload)}};
      if (parsed) own.emplace_back("value_json", Value::from_json(*parsed));
      const auto rendered = kind_.value_template->render_text(home_.renderer, {own, variables_});
      if (!rendered) return home_.complain("the trigger mqtt of " + kind_.topic, rendered.error().message);
      text = *rendered;
    }
    if (text != *kind_.payload) return;
  }
  std::vector<std::pair<std::string, Value>> facts{{"topic", Value(message.topic())},
                                                   {"payload", Value(payload)},
                                                   {"qos", Value(static_cast<std::int64_t>(message.qos()))}};
  if (parsed) facts.emplace_back("payload_json", Value::from_json(*parsed));
  fire_({trigger_value(trigger_, std::move(facts)), "mqtt topic " + message.topic()});
}

WebhookWatch::WebhookWatch(const Trigger& trigger, Home& home, Fire fire)
    : trigger_(trigger), kind_(std::get<WebhookTrigger>(trigger.kind)), home_(home), fire_(std::move(fire)) {
  listening_ = home.webhooks.listen(kind_.id, [this](const core::WebhookCall& call) { on_call(call); });
}

void WebhookWatch::on_call(const core::WebhookCall& call) const {
  if (std::ranges::find(kind_.methods, call.method) == kind_.methods.end()) return;
  if (kind_.local_only && !is_local_address(call.address)) return;
  templates::Dict query;
  for (const auto& [name, value] : call.query) query.set(Value(name), Value(value));
  std::vector<std::pair<std::string, Value>> facts{{"webhook_id", Value(kind_.id)}};
  if (call.content_type.starts_with("application/json")) {
    auto body = base::parse_json(call.body);
    if (!body) return home_.complain("a webhook is called with a body that is no JSON", body.error().message);
    facts.emplace_back("json", Value::from_json(std::move(*body)));
  } else {
    facts.emplace_back("data", form_value(call.body));
  }
  facts.emplace_back("query", Value::dict(std::move(query)));
  fire_({trigger_value(trigger_, std::move(facts)), "webhook"});
}

ConversationWatch::ConversationWatch(const Trigger& trigger, Home& home, Fire fire) {
  listening_ = home.conversations.listen(
      std::get<ConversationTrigger>(trigger.kind).sentences,
      [&trigger, fire = std::move(fire)](const Conversations::Heard& heard) {
        templates::Dict slots;
        for (const auto& [name, words] : heard.slots) slots.set(Value(name), Value(words));
        fire({.trigger = trigger_value(trigger, {{"sentence", Value(heard.said)},
                                                 {"matched_sentence", Value(heard.sentence.text())},
                                                 {"slots", Value::dict(std::move(slots))}}),
              .source = "sentence '" + heard.said + "'",
              .cause = heard.context,
              .answer = heard.answer});
      });
}

}  // namespace hearth::automation
