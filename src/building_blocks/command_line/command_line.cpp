// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/command_line/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "building_blocks/command_line/command_source.h"

namespace hearth::building_blocks {
namespace {

using base::ConfigNode;
using base::ConfigReader;

struct OrderKey {
  std::string_view key, service;
};

constexpr OrderKey kSwitchOrders[] = {{"command_on", "turn_on"}, {"command_off", "turn_off"}};
constexpr OrderKey kCoverOrders[] = {
    {"command_open", "open_cover"}, {"command_close", "close_cover"}, {"command_stop", "stop_cover"}};

struct CommandForm {
  std::string_view domain, default_name;
  std::string_view state_key;  // of the command that tells
  base::Duration scan_interval;
  std::span<const OrderKey> orders = {};
};

constexpr CommandForm kCommandForms[] = {
    {"sensor", "Command Sensor", "command", std::chrono::seconds(60)},
    {"binary_sensor", "Binary Command Sensor", "command", std::chrono::seconds(60)},
    {"switch", "Command Switch", "command_state", std::chrono::seconds(30), kSwitchOrders},
    {"cover", "Command Cover", "command_state", std::chrono::seconds(15), kCoverOrders},
};
constexpr std::string_view kNotify = "notify";  // a service, which another reader makes
constexpr base::Duration kLongestTimeout = std::chrono::minutes(5);

CommandText read_command(ConfigReader& in, std::string_view key, PlanReader& reader) {
  const ConfigNode* const node = in.find(key);
  if (node->broken()) return {};  // named with all that is broken
  std::vector<std::string> warnings;
  auto text = CommandText::parse(*node, warnings);
  for (std::string& warning : warnings) reader.warn(*node, std::move(warning));
  if (text) return std::move(*text);
  automation::note(in, *node, std::move(text.error()));
  return {};
}

void read_item(const CommandForm& form, ConfigReader& in, PolledPlan& plan, PlanReader& reader) {
  auto options = std::make_shared<CommandSource::Options>();
  PolledEntityPlan& entity = read_entity(in, form.domain, form.default_name, plan);
  entity.attributes_only = true;
  const ConfigNode* const tells = in.find(form.state_key);
  const bool has_state = tells && !tells->is_empty();
  if (has_state)
    options->state = read_command(in, form.state_key, reader);
  else if (form.orders.empty())
    automation::note_missing(in, in.node(), form.state_key);
  for (const OrderKey& order : form.orders) {
    const ConfigNode* const node = in.find(order.key);
    // As for those who wrote the file: without a command there is nothing to do, and it is done.
    CommandText text;
    text.line = "true";
    if (node && !node->is_empty()) text = read_command(in, order.key, reader);
    options->orders.emplace(order.service, std::move(text));
  }
  entity.has_state = has_state;
  if (form.domain == "binary_sensor") {
    entity.payload_on = "ON";
    entity.payload_off = "OFF";
    in.text("payload_on", entity.payload_on);
    in.text("payload_off", entity.payload_off);
  }
  if (form.domain == "cover") entity.features = "stop";
  options->code_is_state = form.domain == "switch" && !entity.value_template;
  base::Duration timeout = std::chrono::seconds(15);
  const ConfigNode* const limit = in.find("command_timeout");
  timeout = automation::limited_duration(in, "command_timeout", timeout);
  if (limit && (timeout < std::chrono::milliseconds(1) || timeout > kLongestTimeout)) {
    automation::note(in, *limit, "expected more than 0 and at most 300 seconds");
    timeout = std::chrono::seconds(15);
  }
  options->timeout = std::chrono::duration_cast<std::chrono::milliseconds>(timeout);
  read_scan_interval(in, plan, form.scan_interval);
  if (!has_state) plan.scan_interval = {};
  plan.source = [options](const PolledEnvironment& environment) {
    return std::make_unique<CommandSource>(environment, options);
  };
}

}  // namespace

void read_command_line(const automation::Sections& sections, PlanReader& reader) {
  constexpr std::string_view kExpected = "sensor, binary_sensor, switch, cover or notify, with its keys";
  reader.items_of(sections, kCommandLine, [&](const ConfigNode& item) {
    if (!item.is_map()) return reader.fault(item, item.mismatch(kExpected));
    for (const ConfigNode::Entry& entry : item.entries()) {
      if (entry.key == kNotify) continue;
      const auto form = std::ranges::find(kCommandForms, std::string_view(entry.key), &CommandForm::domain);
      if (form == std::end(kCommandForms)) {
        reader.fault(entry.value, entry.value.error(fmt::format("expected {}", kExpected)));
        continue;
      }
      reader.add(kCommandLine, entry.value,
                 [&](ConfigReader& in, PolledPlan& plan) { read_item(*form, in, plan, reader); });
    }
  });
}

}  // namespace hearth::building_blocks
