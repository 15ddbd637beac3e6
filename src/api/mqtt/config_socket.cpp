// SPDX-License-Identifier: Apache-2.0
// mqtt/config, its changes, and mqtt/test_connection: the connection to the home's MQTT broker.
#include <fmt/format.h>

#include "api/accounts/account_reply.h"
#include "api/gateway/message_reader.h"
#include "api/mqtt/mqtt_settings.h"
#include "api/parts.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

constexpr std::string_view kPassword = "password";

// The keys of the message as configuration.yaml has them; what is null there is absent, and a password that is null is
// none.
base::Result<base::ConfigNode> read_values(const json::object& message) {
  base::ConfigNode::Map values;
  for (const auto& [key, value] : message) {
    std::string name(key);
    if (name == "id" || name == "type" || (value.is_null() && name != kPassword)) continue;
    if (value.is_object() || value.is_array())
      return base::fail(base::ErrorCode::invalid, fmt::format("{}: expected a text, a number or true or false", name));
    std::string text;
    if (value.is_string())
      text = value.get_string();
    else if (!value.is_null())
      text = base::to_json(value);
    values.push_back({name, base::ConfigNode({{}, 0, name}, std::move(text))});
  }
  return base::ConfigNode({}, std::move(values));
}

std::unexpected<CommandError> settings_failure(base::Error error) {
  if (error.code == base::ErrorCode::conflict)
    return std::unexpected(CommandError(command_error::kInvalidInfo, error.message));
  return account_failure(std::move(error));
}

// Runs change(settings) on the accounts' thread, and answers with the connection as it is then.
template <class Change>
void answer_with_config(const CommandCall& call, CommandReply reply, Change change) {
  if (!call.parts.mqtt)
    return reply.send(std::unexpected(CommandError(command_error::kNotFound, "This hub knows no MQTT.")));
  reply_from_accounts(call.gate, std::move(reply),
                      [settings = call.parts.mqtt, change = std::move(change)](auth::AccountStore&) -> CommandResult {
                        if (base::Result<void> done = change(*settings); !done)
                          return settings_failure(std::move(done.error()));
                        return base::to_json(settings->config());
                      });
}

void get_mqtt_config(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  answer_with_config(call, std::move(reply), [](MqttSettings&) { return base::Result<void>(); });
}

// Fails with invalid_info.
void save_mqtt_config(const CommandCall& call, CommandReply reply) {
  auto values = read_values(call.message);
  if (!values) return reply.send(std::unexpected(values.error()));
  answer_with_config(call, std::move(reply),
                     [values = std::move(*values)](MqttSettings& settings) { return settings.save(values); });
}

// Fails with invalid_info, not_found.
void delete_mqtt_config(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  answer_with_config(call, std::move(reply), [](MqttSettings& settings) { return settings.remove(); });
}

void test_mqtt_connection(const CommandCall& call, CommandReply reply) {
  auto values = read_values(call.message);
  if (!values) return reply.send(std::unexpected(values.error()));
  if (!call.parts.mqtt)
    return reply.send(std::unexpected(CommandError(command_error::kNotFound, "This hub knows no MQTT.")));
  run_for_reply(call.gate, std::move(reply),
                [settings = call.parts.mqtt, values = std::move(*values)](auth::AccountStore&, CommandReply later) {
                  const auto shared = std::make_shared<CommandReply>(std::move(later));
                  const auto tested = [shared](const base::Result<std::string>& protocol) {
                    shared->send(base::to_json(
                        json::object{{"success", protocol.has_value()},
                                     {"protocol", protocol ? json::value(*protocol) : json::value()},
                                     {"error", protocol ? json::value() : json::value(protocol.error().message)}}));
                  };
                  if (auto begun = settings->test(values, tested); !begun)
                    shared->send(settings_failure(begun.error()));
                });
}

}  // namespace

constexpr Command kMqttConfigCommandRows[] = {
    {"mqtt/config", Access::admin, get_mqtt_config, Durable::no},
    {"mqtt/config/save", Access::admin, save_mqtt_config, Durable::no},
    {"mqtt/config/delete", Access::admin, delete_mqtt_config, Durable::no},
    {"mqtt/test_connection", Access::admin, test_mqtt_connection, Durable::no},
};
constexpr Commands kMqttConfigCommands = kMqttConfigCommandRows;

}  // namespace hearth::api
