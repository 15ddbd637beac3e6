// SPDX-License-Identifier: Apache-2.0
#include "api/metrics/hub_metrics.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <utility>

#include "api/gateway/socket_hub.h"
#include "api/parts.h"
#include "api/routes.h"
#include "base/process_figures.h"
#include "core/hub.h"

namespace hearth::api {
namespace {

using Type = MetricText::Type;
using Seconds = std::chrono::duration<double>;

double number(auto value) {
  return static_cast<double>(value);
}

void add_process(MetricText& text, const core::Hub& whole) {
  const auto figures = base::process_figures();
  const auto gauge = [&](std::string_view name, std::string_view help, double value) {
    text.family(name, Type::gauge, help).add(value);
  };
  gauge("process_resident_memory_bytes", "Memory in use", number(figures.memory_resident));
  gauge("process_virtual_memory_bytes", "Address space in use", number(figures.memory_virtual));
  gauge("process_open_fds", "Open file descriptors", number(figures.descriptors));
  gauge("process_max_fds", "File descriptors that may be open", number(figures.max_descriptors));
  gauge("process_threads", "Threads", number(figures.threads));
  gauge("process_start_time_seconds", "When the hub started, since 1970",
        Seconds(whole.started_at.time_since_epoch()).count());
  text.family("process_cpu_seconds_total", Type::counter, "CPU time used").add(figures.cpu_seconds);
}

std::string_view route_name(std::size_t route) {
  if (route == http::Request::kNoRoute) return "unknown";
  return route < endpoints().size() ? endpoints()[route].path : "pages";
}

void add_requests(MetricText& text, const SocketHub& sockets) {
  const auto totals = sockets.request_counts();
  std::map<std::pair<std::string_view, unsigned>, std::uint64_t> answered;  // of all methods
  for (const auto& each : totals.answered) answered[{route_name(each.route), each.status}] += each.count;
  auto& requests = text.family("hearth_http_requests_total", Type::counter, "Answered requests");
  for (const auto& [key, count] : answered)
    requests.add(number(count), {{"route", key.first}, {"status", std::to_string(key.second)}});
  auto& durations = text.family("hearth_http_request_duration_seconds", Type::histogram,
                                "Time from a request's first byte to its answer, or to a stream's head");
  std::uint64_t within = 0;
  for (std::size_t i = 0; i < totals.within.size(); ++i) {
    within += totals.within[i];
    const bool last = i == http::RequestCounts::kBounds.size();
    const std::string bound =
        last ? "+Inf" : fmt::format("{}", Seconds(std::chrono::microseconds(http::RequestCounts::kBounds[i])).count());
    durations.add("_bucket", number(within), {{"le", bound}});
  }
  durations.add("_sum", Seconds(totals.taken).count(), {});
  durations.add("_count", number(totals.count), {});
  const auto counts = sockets.counts();
  text.family("hearth_http_connections", Type::gauge, "Open connections").add(number(counts.connections));
  text.family("hearth_event_streams", Type::gauge, "Open event streams").add(number(counts.streams));
  text.family("hearth_websockets", Type::gauge, "Open WebSockets").add(number(counts.websockets));
}

void add_bus(MetricText& text, core::Hub& whole) {
  text.family("hearth_events_total", Type::counter, "Events of the bus").add(number(whole.bus.last_sequence()));
  text.family("hearth_event_queue_length", Type::gauge, "Events and tasks that wait for the bus")
      .add(number(whole.bus.pending()));
  text.family("hearth_bus_held_seconds", Type::gauge, "How long the current callback has held the bus")
      .add(Seconds(whole.bus.watch().held()).count());
  text.family("hearth_bus_longest_turn_seconds", Type::gauge,
              "The longest that a callback has held the bus, if more than 0.1")
      .add(Seconds(whole.bus.watch().longest()).count());
  text.family("hearth_state_changes_total", Type::counter, "States written, made or removed")
      .add(number(whole.states.changes()));
  text.family("hearth_entities", Type::gauge, "Entities with a state").add(number(whole.states.snapshot()->size()));
}

std::uintmax_t size_with_log(const std::filesystem::path& file) {
  std::uintmax_t sum = 0;
  for (const char* const suffix : {"", "-wal"}) {
    std::error_code absent;
    const auto size = std::filesystem::file_size(file.string() + suffix, absent);
    if (!absent) sum += size;
  }
  return sum;
}

void add_recorder(MetricText& text, const core::Hub& whole, const recorder::Recorder& recorder) {
  const auto health = recorder.health();
  const base::Duration lag =
      health.oldest ? std::max(whole.clock.now() - *health.oldest, base::Duration{}) : base::Duration{};
  text.family("hearth_recorder_lag_seconds", Type::gauge, "Age of the oldest change that is not in the database yet")
      .add(Seconds(lag).count());
  text.family("hearth_recorder_waiting", Type::gauge, "Changes that are not in the database yet")
      .add(number(health.waiting));
  text.family("hearth_recorder_failing", Type::gauge, "Changes cannot be written: 1").add(health.failing ? 1 : 0);
  text.family("hearth_recorder_committed_total", Type::counter, "Changes written").add(number(health.committed));
  text.family("hearth_recorder_dropped_total", Type::counter, "Changes lost").add(number(health.dropped));
  auto& bytes = text.family("hearth_database_bytes", Type::gauge, "Size of a database with its log");
  for (const auto& file : {recorder.file(), recorder.file().parent_path() / "home.db"})
    bytes.add(number(size_with_log(file)), {{"file", file.filename().native()}});
}

void add_work(MetricText& text, const core::Hub& whole) {
  auto& up = text.family("hearth_integration_up", Type::gauge, "The integration runs: 1");
  for (const auto all = whole.integrations.load(); const auto& status : *all) {
    const double runs = status.state == core::IntegrationStatus::State::running ? 1 : 0;
    if (const core::Connection& connection = *status.connection; connection.unique_id.empty())
      up.add(runs, {{"integration", status.name}});
    else
      up.add(runs, {{"integration", status.name}, {"entry_id", connection.entry_id}, {"title", connection.title}});
  }
  const core::Counters& counters = whole.counters;
  const auto counter = [&](std::string_view name, std::string_view help, const core::Counter& value) {
    text.family(name, Type::counter, help).add(number(value.value()));
  };
  counter("hearth_automation_runs_total", "Runs of automations that began", counters.automation_runs);
  counter("hearth_automation_runs_failed_total", "Runs of automations that an error ended",
          counters.failed_automation_runs);
  counter("hearth_script_runs_total", "Runs of scripts that began", counters.script_runs);
  counter("hearth_script_runs_failed_total", "Runs of scripts that an error ended", counters.failed_script_runs);
  counter("hearth_mqtt_messages_received_total", "Messages from the MQTT broker", counters.mqtt_received);
  counter("hearth_mqtt_messages_published_total", "Messages to the MQTT broker", counters.mqtt_published);
}

}  // namespace

void add_hub_metrics(MetricText& text, const Call& call) {
  core::Hub& whole = call.home.administered();
  text.family("hearth_build_info", Type::gauge, "The hub's version").add(1, {{"version", call.home.config()->version}});
  add_process(text, whole);
  add_requests(text, call.sockets);
  add_bus(text, whole);
  if (call.parts.recorder) add_recorder(text, whole, *call.parts.recorder);
  add_work(text, whole);
}

}  // namespace hearth::api
