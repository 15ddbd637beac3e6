// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/options/options.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include "base/text/number.h"
#include "integrations/modbus/options/entity_readers.h"
#include "integrations/modbus/options/reading.h"
#include "net/link/target.h"

namespace hearth::integrations::modbus {
namespace {

template <class Entity>
void read_entities(base::ConfigReader& in, std::string_view key, std::vector<Entity>& all,
                   Entity (*read)(base::ConfigReader&)) {
  const base::ConfigNode* const list = in.find(key);
  if (!list || list->is_empty()) return;
  const auto one = [&](const base::ConfigNode& node) {
    base::ConfigReader reader(node);
    Entity entity = read(reader);
    auto problems = reader.problems();
    const bool wrong = std::ranges::any_of(problems, [](const base::ConfigProblem& each) { return !each.unknown; });
    for (base::ConfigProblem& problem : problems) in.report(std::move(problem));
    if (!wrong) all.push_back(std::move(entity));
  };
  if (list->is_map()) return one(*list);
  if (!list->is_list()) return in.report(*list, list->mismatch("a list of entities"));
  if (list->items().size() > kMaxEntities)
    return in.report(*list, list->error(fmt::format("expected at most {} entities", kMaxEntities)));
  for (const base::ConfigNode& node : list->items()) one(node);
}

void read_serial(base::ConfigReader& in, net::SerialOptions& serial) {
  in.text("port", serial.device);
  if (!serial.device.starts_with('/'))
    in.report(in.node(), in.node().error("port: expected the path of a serial device, such as /dev/ttyUSB0"));
  serial.baud = 9'600;
  read_whole(in, "baudrate", serial.baud, 1, 10'000'000);
  if (!net::is_baud(serial.baud))
    in.report(in.node(), in.node().error(fmt::format("baudrate: no serial device has {}", serial.baud)));
  read_whole(in, "bytesize", serial.data_bits, 5, 8);
  in.option("parity", serial.parity, {{"N", 'N'}, {"E", 'E'}, {"O", 'O'}});
  read_whole(in, "stopbits", serial.stop_bits, 1, 2);
  bool rtu = true;
  in.option("method", rtu, {{"rtu", true}, {"ascii", false}});
  if (!rtu) in.report(in.node(), in.node().error("method: ascii is not there; expected rtu"));
}

}  // namespace

std::string HubOptions::address() const {
  return type == Type::serial ? serial.device : net::Target{.host = host, .port = port}.str();
}

HubOptions read_hub(base::ConfigReader& in) {
  HubOptions hub;
  in.text("name", hub.name);
  using Type = HubOptions::Type;
  if (!in.find("type")) in.report(in.node(), in.node().error("type: missing; expected tcp, udp, rtuovertcp or serial"));
  in.option("type", hub.type,
            {{"tcp", Type::tcp}, {"udp", Type::udp}, {"rtuovertcp", Type::rtuovertcp}, {"serial", Type::serial}});
  if (hub.type == Type::serial) {
    read_serial(in, hub.serial);
    hub.message_wait = std::chrono::milliseconds(30);
  } else {
    in.text("host", hub.host);
    read_whole(in, "port", hub.port, 1, 65'535);
    if (hub.host.empty()) in.report(in.node(), in.node().error("host: missing; expected a name or an address"));
  }
  read_seconds(in, "delay", hub.delay, 3'600);
  std::int64_t wait = hub.message_wait.count();
  read_whole(in, "message_wait_milliseconds", wait, 0, 10'000);
  hub.message_wait = std::chrono::milliseconds(wait);
  read_seconds(in, "timeout", hub.timeout, 60);
  if (hub.timeout < std::chrono::milliseconds(50))
    in.report(in.node(), in.node().error("timeout: expected at least 0.05 seconds"));
  // Connections are always made anew, and requests repeated at the next interval.
  bool ignored = false;
  std::int64_t retries = 0;
  in.boolean("close_comm_on_error", ignored);
  in.boolean("retry_on_empty", ignored);
  read_whole(in, "retries", retries, 0, 100);
  read_entities(in, "sensors", hub.sensors, read_sensor);
  read_entities(in, "binary_sensors", hub.binary_sensors, read_binary_sensor);
  read_entities(in, "switches", hub.switches, read_switch);
  read_entities(in, "lights", hub.lights, read_switch);
  read_entities(in, "fans", hub.fans, read_switch);
  read_entities(in, "covers", hub.covers, read_cover);
  read_entities(in, "climates", hub.climates, read_climate);
  return hub;
}

std::vector<const base::ConfigNode*> hubs_of(const base::ConfigNode& section) {
  std::vector<const base::ConfigNode*> all;
  if (section.is_list()) {
    for (const base::ConfigNode& each : section.items()) all.push_back(&each);
  } else if (!section.is_empty()) {
    all.push_back(&section);
  }
  return all;
}

}  // namespace hearth::integrations::modbus
