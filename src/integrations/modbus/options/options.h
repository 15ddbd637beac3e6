// SPDX-License-Identifier: Apache-2.0
// The section modbus of configuration.yaml, with the keys of Home Assistant. Values; any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "integrations/modbus/protocol/values.h"
#include "net/link/serial_link.h"

namespace hearth::integrations::modbus {

constexpr std::string_view kDefaultHub = "modbus_hub";
constexpr std::size_t kMaxHubs = 64, kMaxEntities = 2'000;  // entities: of a hub
constexpr std::int64_t kMaxVirtual = 125;

// The keys that all kinds of entities have.
struct CommonOptions {
  std::string name;
  std::string unique_id;  // empty: made of hub, kind and name
  std::string device_class;
  std::string icon;
  std::uint8_t unit = 1;
  std::uint16_t address = 0;
  std::chrono::milliseconds scan_interval{15'000};  // 0: not read by itself
};

struct SensorOptions {
  CommonOptions common;
  Table table = Table::holding;
  Layout layout;
  Swap swap = Swap::none;
  Scaling scaling;
  std::string unit_of_measurement, state_class;
  std::int64_t virtual_count = 0;  // further sensors at the next addresses
};

struct BinarySensorOptions {
  CommonOptions common;
  Table table = Table::coil;
  std::int64_t virtual_count = 0;
};

struct Verify {
  Table table = Table::holding;
  std::uint16_t address = 0;
  std::uint16_t on = 1, off = 0;
  std::chrono::milliseconds delay{0};  // after a command
};

struct SwitchOptions {
  CommonOptions common;
  Table table = Table::holding;  // that commands are written to
  bool as_list = false;          // by the function for several
  std::uint16_t on = 1, off = 0;
  std::optional<Verify> verify;  // none: a command that was taken counts
};

struct CoverOptions {
  CommonOptions common;
  Table table = Table::holding;  // that commands are written to
  Table status_table = Table::holding;
  std::uint16_t status_address = 0;
  std::uint16_t open = 1, opening = 2, closed = 0, closing = 3;
};

struct ClimateOptions {
  CommonOptions common;  // its address: of the measured temperature
  Table table = Table::holding;
  std::uint16_t target_address = 0;
  bool target_as_list = false;
  Layout layout;
  Swap swap = Swap::none;
  Scaling scaling;
  bool fahrenheit = false;
  double min_temperature = 5, max_temperature = 35, step = 0.5;
  std::optional<std::uint16_t> mode_address = {};
  bool mode_as_list = false;
  std::vector<std::pair<std::string, std::uint16_t>> modes = {};  // by HVAC mode; one may have several values
  std::optional<std::uint16_t> onoff_address = {};
  bool onoff_as_list = false;
  std::uint16_t on_value = 1, off_value = 0;
};

struct HubOptions {
  enum class Type { tcp, udp, rtuovertcp, serial };

  std::string name{kDefaultHub};
  Type type = Type::tcp;
  std::string host;
  std::uint16_t port = 502;
  net::SerialOptions serial;
  std::chrono::milliseconds delay{0};         // after connecting
  std::chrono::milliseconds message_wait{0};  // between an answer and the next request
  std::chrono::milliseconds timeout{5'000};   // of an answer
  std::vector<SensorOptions> sensors;
  std::vector<BinarySensorOptions> binary_sensors;
  std::vector<SwitchOptions> switches, lights, fans;
  std::vector<CoverOptions> covers;
  std::vector<ClimateOptions> climates;

  Framing framing() const { return type == Type::tcp || type == Type::udp ? Framing::tcp : Framing::rtu; }
  // For people: "192.168.1.9:502", "/dev/ttyUSB0".
  std::string address() const;
};

// Reads one hub; what is wrong is in the reader's problems.
HubOptions read_hub(base::ConfigReader& in);
// The hubs of the section: one, or a list of them.
std::vector<const base::ConfigNode*> hubs_of(const base::ConfigNode& section);

}  // namespace hearth::integrations::modbus
