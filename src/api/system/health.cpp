// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <pwd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "api/accounts/account_reply.h"
#include "api/gateway/connection.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/socket_hub.h"
#include "api/rows.h"
#include "api/system/system_log.h"
#include "base/process_figures.h"
#include "base/text/timestamp.h"

namespace hearth::api {
namespace {

bool in_container() {
  std::error_code ignored;
  return std::filesystem::exists("/.dockerenv", ignored) || std::filesystem::exists("/run/.containerenv", ignored);
}

// Of the process; its number where it has no name.
std::string user_name() {
  passwd entry;
  passwd* found = nullptr;
  char buffer[4096];
  const auto id = ::geteuid();
  if (::getpwuid_r(id, &entry, buffer, sizeof buffer, &found) == 0 && found) return found->pw_name;
  return std::to_string(id);
}

// Where the hub runs, by the names that clients of this family know.
json::object host_info(const core::HubConfig& config) {
  utsname system{};
  ::uname(&system);
  const bool container = in_container();
  return {{"version", config.version},
          {"installation_type", container ? "Container" : "Native"},
          {"docker", container},
          {"user", user_name()},
          {"os_name", system.sysname},
          {"os_version", system.release},
          {"arch", system.machine},
          {"timezone", config.time_zone},
          {"config_dir", config.config_dir}};
}

// The code that holds the bus for too long.
json::object bus_info(core::EventBus& bus) {
  json::array slow;
  for (const auto& place : bus.watch().slow()) {
    slow.push_back(json::object{{"where", place.where},
                                {"longest_ms", std::chrono::round<std::chrono::milliseconds>(place.longest).count()},
                                {"times", place.times},
                                {"last", base::to_string(place.last)},
                                {"holds_now", place.holds_now}});
  }
  return {{"slow", std::move(slow)}};
}

json::object hub_info(const core::View& home, const SocketHub& sockets, std::size_t users,
                      std::uintmax_t database_size) {
  const auto config = home.config();
  core::Hub& whole = home.administered();
  const auto registry = whole.registry.snapshot();
  const auto counts = sockets.counts();
  const auto figures = base::process_figures();
  const std::chrono::duration<double> uptime = home.clock().steady_now() - whole.steady_start;
  return {{"version", config->version},
          {"state", core::to_string(home.run_state())},
          {"started_at", base::to_string(whole.started_at)},
          {"uptime", uptime.count()},
          {"memory_resident", figures.memory_resident},
          {"memory_peak", figures.memory_peak},
          {"cpu_seconds", figures.cpu_seconds},
          {"threads", figures.threads},
          {"http_connections", counts.connections},
          {"websocket_connections", counts.websockets},
          {"event_streams", counts.streams},
          {"entities", whole.states.snapshot()->size()},
          {"devices", registry->devices.size()},
          {"areas", registry->areas.size()},
          {"users", users},
          {"config_dir", config->config_dir},
          {"database_size", database_size},
          {"bus", bus_info(whole.bus)}};
}

// The accounts' thread reads the files, so that no connection waits for the disk.
void system_health(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (auto room = call.connection.may_subscribe(); !room) return reply.send(std::unexpected(room.error()));
  // Clients end it as they end any subscription, though nothing comes behind `finish`.
  call.connection.subscribe(call.id, std::make_unique<LiveSubscription>());
  subscribe_from_accounts(
      call, std::move(reply),
      [id = call.id, home = call.home, &sockets = call.connection.sockets()](auth::AccountStore& store) -> Beginning {
        const auto users = store.users();
        if (!users) {
          return {account_failure(users.error()), [id](Connection& connection) { connection.unsubscribe(id); }};
        }
        const json::object data{{"homeassistant", {{"info", host_info(*home.config())}}},
                                {"hearth", {{"info", hub_info(home, sockets, users->size(), store.database_size())}}}};
        return {"null", [id, initial = base::to_json(json::object{{"type", "initial"}, {"data", data}})](
                            Connection& connection) {
                  connection.send_event(id, initial);
                  connection.send_event(id, R"({"type":"finish"})");
                }};
      });
}

CommandResult list_system_log(const CommandCall& call) {
  std::string name(base::to_string(base::LogLevel::warning));
  MessageReader in(call.message);
  in.optional("level", name);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto level = parse_log_level(name);
  if (!level) return std::unexpected(CommandError(level.error()));
  return base::to_json(log_entries(base::recent_log().records(), *level));
}

}  // namespace

constexpr Command kHealthCommandRows[] = {
    {"system_health/info", Access::admin, system_health, Durable::no},
    {"system_log/list", Access::admin, list_system_log, Durable::no},
};
constexpr Commands kHealthCommands = kHealthCommandRows;

}  // namespace hearth::api
