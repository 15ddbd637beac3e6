// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/webhook_watch.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>

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
  fire_({trigger_value(trigger_, std::move(facts)), "webhook"}, home_.now());
}

}  // namespace hearth::automation
