// SPDX-License-Identifier: Apache-2.0
#include "app/services/recorder_services.h"

#include "core/values/entity_id.h"

namespace hearth::app {
namespace {

using recorder::Recorder;
namespace field = core::field;

constexpr std::int64_t kMaxDays = 36'500;

std::optional<base::Duration> keep(const json::object& data) {
  const json::value* const days = data.if_contains("keep_days");
  if (!days) return {};
  return std::chrono::days(days->to_number<std::int64_t>());
}

bool flag(const json::object& data, std::string_view key) {
  const json::value* const value = data.if_contains(key);
  return value && value->get_bool();
}

std::vector<std::string> texts(const json::object& data, std::string_view key) {
  std::vector<std::string> list;
  const json::value* const value = data.if_contains(key);
  if (!value) return list;
  for (const json::value& text : value->get_array()) list.emplace_back(core::lower_case(text.get_string()));
  return list;
}

void reply_on_bus(core::Hub& hub, const core::ServiceReply& reply, const base::Result<void>& done) {
  hub.bus.post([reply, done] {
    if (done)
      reply(json::value());
    else
      reply(std::unexpected(done.error()));
  });
}

void run(core::Hub& hub, Recorder& recorder, Recorder::Purge purge, const core::ServiceReply& reply) {
  purge.done = [&hub, reply](const base::Result<void>& done) { reply_on_bus(hub, reply, done); };
  if (auto taken = recorder.purge(std::move(purge)); !taken) reply(std::unexpected(std::move(taken.error())));
}

core::ServiceDescription recorder_service(std::string service, std::string name, std::string description) {
  core::ServiceDescription made;
  made.domain = "recorder";
  made.service = std::move(service);
  made.name = std::move(name);
  made.description = std::move(description);
  made.has_target = false;
  made.administrator = true;
  return made;
}

core::Registration add_import(core::Hub& hub, recorder::History& history, recorder::ImportedStatistics& imported) {
  auto import = recorder_service("import_statistics", "Import statistics",
                                 "Takes in statistics of each hour, such as the meter readings of former years.");
  import.fields = {
      {"statistic_id", "An entity, or an id such as mine:energy.", "mine:energy", field::Text{}, true},
      {"source", "Who made them: recorder for an entity, otherwise what precedes the colon of the id.", "mine",
       field::Text{}},
      {"name", "What people read.", "Energy of the old house", field::Text{}},
      {"unit_of_measurement", "The unit of all of them.", "kWh", field::Text{}},
      {"has_mean", "Each hour has a mean, perhaps min and max.", false, field::Boolean{}},
      {"has_sum", "Each hour has a sum, perhaps a state.", true, field::Boolean{}},
      {"stats", "The hours.",
       core::Example::Json{R"([{"start":"2026-01-31T10:00:00+00:00","state":1200.5,"sum":3.5}])"}, field::Any{}, true},
  };
  return hub.services.add(std::move(import), [&](const core::ServiceCall& call, const core::ServiceReply& reply) {
    const json::value& stats = call.data().at("stats");
    if (!stats.is_array()) return reply(base::fail(base::ErrorCode::invalid, "stats: expected a list of hours"));
    auto read = recorder::parse_statistics_import(call.data(), stats.get_array());
    if (!read) return reply(std::unexpected(std::move(read.error())));
    const bool posted = history.post(
        [&hub, &imported, reply, read = std::make_shared<const recorder::StatisticsImport>(std::move(*read))](
            recorder::HistoryReader&) { reply_on_bus(hub, reply, imported.import(*read)); });
    if (!posted) reply(base::fail(base::ErrorCode::unavailable, "The hub has too many questions about history."));
  });
}

}  // namespace

std::vector<core::Registration> add_recorder_services(core::Hub& hub, Recorder& recorder, recorder::History& history,
                                                      recorder::ImportedStatistics& imported) {
  std::vector<core::Registration> services;
  auto all = recorder_service("purge", "Purge",
                              "Takes old history away, by default what is older than the configuration keeps.");
  all.fields = {
      {"keep_days", "How many days of history stay.", 10, field::Integer{0, kMaxDays}},
      {"repack", "Give all free room back to the disk at once.", true, field::Boolean{}},
      {"apply_filter", "Also take away what is no longer recorded.", true, field::Boolean{}},
  };
  services.push_back(
      hub.services.add(std::move(all), [&](const core::ServiceCall& call, const core::ServiceReply& reply) {
        Recorder::Purge purge;
        purge.keep = keep(call.data());
        purge.repack = flag(call.data(), "repack");
        purge.apply_filter = flag(call.data(), "apply_filter");
        run(hub, recorder, std::move(purge), reply);
      }));

  auto some = recorder_service("purge_entities", "Purge entities", "Takes the history of some entities away.");
  some.fields = {
      {"entity_id", "The entities.", "sensor.old_thermometer", field::TextList{}},
      {"domains", "All entities of these domains.", core::Example::Json{R"(["sun"])"}, field::TextList{}},
      {"entity_globs", "All entities that fit.", core::Example::Json{R"(["sensor.test_*"])"}, field::TextList{}},
      {"keep_days", "How many days of their history stay.", 0, field::Integer{0, kMaxDays}},
  };
  services.push_back(
      hub.services.add(std::move(some), [&](const core::ServiceCall& call, const core::ServiceReply& reply) {
        auto rule = core::EntityFilter::Rule::create(texts(call.data(), "entity_id"), texts(call.data(), "domains"),
                                                     texts(call.data(), "entity_globs"), hub.limits);
        if (!rule) return reply(std::unexpected(std::move(rule.error())));
        if (rule->empty()) {
          return reply(
              base::fail(base::ErrorCode::invalid, "Nobody is named: expected entity_id, domains or entity_globs."));
        }
        Recorder::Purge purge;
        purge.keep = keep(call.data()).value_or(base::Duration(0));
        purge.entities = std::move(*rule);
        run(hub, recorder, std::move(purge), reply);
      }));
  services.push_back(add_import(hub, history, imported));
  return services;
}

}  // namespace hearth::app
