// SPDX-License-Identifier: Apache-2.0
#include "integrations/dsmr/flow/meter_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "base/text/text.h"
#include "integrations/dsmr/meter/meter.h"
#include "integrations/dsmr/protocol/telegram.h"

namespace hearth::integrations::dsmr {
namespace {

using core::ConnectionError;

bool is_host_name(std::string_view text) {
  return !text.empty() && text.size() <= 253 && std::ranges::none_of(text, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '/' || c == '@' || c == 0x7F;
  });
}

ConnectionError error_of(net::Reason reason) {
  if (reason == net::Reason::invalid_host) return ConnectionError::invalid_host;
  if (reason == net::Reason::timeout) return ConnectionError::timeout;
  if (reason == net::Reason::unsupported) return ConnectionError::unsupported;
  return ConnectionError::cannot_connect;
}

}  // namespace

domains::FlowForm MeterFlow::form(std::map<std::string, ConnectionError> errors) const {
  return {.step_id = "user",
          .fields = {{.name = "host", .required = true},
                     {.name = "port", .type = domains::FormField::Type::integer, .required = true}},
          .errors = std::move(errors),
          .last_step = true};
}

void MeterFlow::submit(const json::object& fields, Reply reply) {
  const std::string host(base::trim_blanks(base::text_at(fields, "host")));
  const json::value* const port = fields.if_contains("port");
  const std::int64_t number = port && port->is_int64() ? port->get_int64() : 0;
  if (!is_host_name(host)) return reply(form({{"host", ConnectionError::invalid_host}}));
  if (number < 1 || number > 0xFFFF) return reply(form({{"port", ConnectionError::invalid_host}}));
  options_ = {.host = host, .port = static_cast<std::uint16_t>(number)};
  reply_ = std::move(reply);
  wrong_ = false;
  Feed::Events& events = *this;
  feed_ = std::make_unique<Feed>(*home_.reactor, home_.bus, options_, events);
  patience_ = home_.bus.schedule(kPatience, [this] {
    answer(form({{"base", wrong_ ? ConnectionError::unsupported : ConnectionError::timeout}}));
  });
}

void MeterFlow::on_telegram(const std::string& text) {
  const auto telegram = Telegram::parse(text);
  const std::string serial = telegram ? serial_of(*telegram) : std::string();
  if (serial.empty()) return answer(form({{"base", ConnectionError::unsupported}}));
  answer(domains::FlowResult{.title = fmt::format("Electricity meter {}", readable_serial(serial)),
                             .unique_id = serial,
                             .data = {{"host", options_.host}, {"port", options_.port}}});
}

void MeterFlow::on_lost(const net::Failure& why) {
  answer(form({{"base", error_of(why.reason)}}));
}

// Later, because the answer may be the end of this, which is in the middle of a call.
void MeterFlow::answer(domains::FlowStep step) {
  if (!reply_) return;
  patience_ = {};
  feed_->stop();
  later_ = home_.bus.schedule(base::Duration(0),
                              [reply = std::exchange(reply_, {}), step = std::move(step)] { reply(step); });
}

}  // namespace hearth::integrations::dsmr
