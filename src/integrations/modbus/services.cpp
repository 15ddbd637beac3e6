// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/services.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json/json_fields.h"

namespace hearth::integrations::modbus {
namespace {

namespace field = core::field;

core::ServiceDescription described(std::string service, std::string name, std::string description) {
  core::ServiceDescription made;
  made.domain = "modbus";
  made.service = std::move(service);
  made.name = std::move(name);
  made.description = std::move(description);
  made.has_target = false;
  // Devices do whatever a register says: for those who control all, or whose policy names the service.
  made.stands_for = made.service;
  return made;
}

std::optional<std::uint16_t> word_of(const json::value& value, bool coil) {
  if (coil && value.is_bool()) return value.get_bool() ? 1 : 0;
  if (!value.is_number()) return {};
  const double number = value.to_number<double>();
  if (number < (coil ? 0 : -32'768) || number > (coil ? 1 : 65'535) || number != std::trunc(number)) return {};
  return static_cast<std::uint16_t>(static_cast<std::int32_t>(number));
}

base::Result<Words> words_of_call(const json::object& data, bool coil) {
  const std::string_view key = coil ? "state" : "value";
  const json::value& given = data.at(key);
  Words words;
  const auto take = [&](const json::value& value) {
    const auto word = word_of(value, coil);
    if (word) words.push_back(*word);
    return word.has_value();
  };
  const bool all = given.is_array() ? std::ranges::all_of(given.get_array(), take) : take(given);
  const std::size_t most = coil ? kMaxWriteBits : kMaxWriteRegisters;
  if (!all || words.empty() || words.size() > most) {
    return base::fail(
        base::ErrorCode::invalid,
        coil ? fmt::format("state: expected true or false, or a list of 1 to {} of them", most)
             : fmt::format("value: expected a whole number from -32768 to 65535, or a list of 1 to {}", most));
  }
  return words;
}

std::int64_t whole_at(const json::object& data, std::string_view key, std::int64_t otherwise) {
  const json::value* const value = data.if_contains(key);
  return value && value->is_int64() ? value->get_int64() : otherwise;
}

}  // namespace

Services::Services(const domains::IntegrationHome& home, const std::vector<std::unique_ptr<ModbusHub>>& hubs)
    : home_(home), hubs_(hubs) {
  add_write(false);
  add_write(true);
  add_control("stop", "Stop hub", "Ends the connection of a hub, until restart.", &ModbusHub::disconnect);
  add_control("restart", "Restart hub", "Connects a hub anew.", &ModbusHub::restart);
}

base::Result<ModbusHub*> Services::hub_of(const json::object& data) const {
  const std::string named = base::text_at(data, "hub");
  if (named.empty() && hubs_.size() == 1) return hubs_.front().get();
  const std::string name = named.empty() ? std::string(kDefaultHub) : named;
  for (const auto& hub : hubs_)
    if (hub->name() == name) return hub.get();
  return base::fail(base::ErrorCode::invalid, fmt::format("hub: there is no hub {}", name));
}

void Services::add_write(bool coil) {
  auto description = coil ? described("write_coil", "Write coil", "Writes one coil, or several one after the other.")
                          : described("write_register", "Write register",
                                      "Writes one holding register, or several one after the other.");
  description.fields = {
      {"hub", "The hub's name; modbus_hub, or the only one, if nothing is said.", "modbus_hub", field::Text{}},
      {"slave", "The device's number on the line: 1 if nothing is said.", 1, field::Integer{0, 255}},
      {"unit", "Another name of slave.", 1, field::Integer{0, 255}},
      {"address", "The first address, from 0.", 16, field::Integer{0, 65'535}, true},
  };
  if (coil)
    description.fields.push_back({"state", "On or off, or a list of them.", true, field::Any{}, true});
  else
    description.fields.push_back({"value", "A whole number, or a list of them.", 42, field::Any{}, true});
  registrations_.push_back(
      home_.hub.services.add(std::move(description), [this, coil](const core::ServiceCall& call, const Reply& reply) {
        const json::object& data = call.data();
        const auto hub = hub_of(data);
        if (!hub) return reply(std::unexpected(hub.error()));
        auto words = words_of_call(data, coil);
        if (!words) return reply(std::unexpected(std::move(words.error())));
        const std::int64_t address = whole_at(data, "address", 0);
        if (address + static_cast<std::int64_t>(words->size()) > 65'536)
          return reply(base::fail(base::ErrorCode::invalid, "address: some are beyond the last, 65535"));
        const json::value* const list = data.if_contains(coil ? "state" : "value");
        (*hub)->command(
            {.unit = static_cast<std::uint8_t>(whole_at(data, "slave", whole_at(data, "unit", 1))),
             .table = coil ? Table::coil : Table::holding,
             .address = static_cast<std::uint16_t>(address),
             .values = std::move(*words),
             .as_list = list && list->is_array()},
            [reply, name = (*hub)->name()](const Answer& answer) {
              if (answer) return reply(json::value());
              reply(base::fail(base::ErrorCode::unavailable, fmt::format("{}: {}", name, answer.error().message)));
            });
      }));
}

void Services::add_control(std::string service, std::string name, std::string description, void (ModbusHub::*act)()) {
  auto made = described(std::move(service), std::move(name), std::move(description));
  made.fields = {
      {"hub", "The hub's name; modbus_hub, or the only one, if nothing is said.", "modbus_hub", field::Text{}}};
  registrations_.push_back(
      home_.hub.services.add(std::move(made), [this, act](const core::ServiceCall& call, const Reply& reply) {
        const auto hub = hub_of(call.data());
        if (!hub) return reply(std::unexpected(hub.error()));
        ((*hub)->*act)();
        reply(json::value());
      }));
}

}  // namespace hearth::integrations::modbus
