// SPDX-License-Identifier: Apache-2.0
#include "app/services/log_services.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/system/system_log.h"
#include "base/log/log.h"
#include "base/text/utf8.h"
#include "core/values/entity_id.h"

namespace hearth::app {
namespace {

constexpr std::string_view kDomain = "system_log";
constexpr std::size_t kLongestPart = 64;  // of a name of a part of the log

core::ServiceDescription describe_log_service(std::string service, std::string name, std::string description) {
  core::ServiceDescription described;
  described.domain = kDomain;
  described.service = std::move(service);
  described.name = std::move(name);
  described.description = std::move(description);
  described.has_target = false;
  return described;
}

base::Result<std::string> text_of(const json::object& data, std::string_view key, std::size_t longest,
                                  std::string_view otherwise) {
  const json::value* const value = data.if_contains(key);
  std::string text(value ? std::string_view(value->get_string()) : otherwise);
  const auto length = base::utf8_length(text);
  if (length && *length >= 1 && *length <= longest) return text;
  return base::fail(base::ErrorCode::invalid, fmt::format("{}: expected a text of 1 to {} characters", key, longest));
}

// The data of the event that is the entry.
base::Result<json::object> logbook_fields(const json::object& data) {
  const auto wrong = [](std::string_view what) { return base::fail(base::ErrorCode::invalid, std::string(what)); };
  const auto name = text_of(data, "name", 255, ""), message = text_of(data, "message", 4'096, "");
  if (!name) return std::unexpected(name.error());
  if (!message) return std::unexpected(message.error());
  json::object entry{{"name", *name}, {"message", *message}};
  const json::value *const entity = data.if_contains("entity_id"), *const domain = data.if_contains("domain");
  if (domain && !core::is_slug(domain->get_string())) return wrong("domain: expected one such as light");
  if (domain) entry["domain"] = *domain;
  if (entity) {
    const auto id = core::EntityId::parse(core::lower_case(entity->get_string()));
    if (!id) return wrong("entity_id: expected an entity such as light.kitchen");
    entry["entity_id"] = id->str();
    if (!domain) entry["domain"] = id->domain();
  } else if (!domain) {
    entry["domain"] = "logbook";
  }
  return entry;
}

// All or none. The larger hub names parts with what they belong to: homeassistant.components.mqtt.
base::Result<void> set_levels(const json::object& data) {
  std::vector<std::pair<std::string, base::LogLevel>> levels;
  for (const auto& [name, value] : data) {
    std::string part(std::string_view(name).substr(std::string_view(name).rfind('.') + 1));
    const auto level =
        value.is_string()
            ? api::parse_log_level(value.get_string())
            : base::Result<base::LogLevel>(base::fail(base::ErrorCode::invalid, "level: expected a text."));
    if (!level)
      return base::fail(base::ErrorCode::invalid, fmt::format("{}: {}", std::string_view(name), level.error().message));
    if (part.empty() || part.size() > kLongestPart)
      return base::fail(base::ErrorCode::invalid, "expected the name of a part of the log, such as mqtt");
    levels.emplace_back(std::move(part), *level);
  }
  if (levels.empty())
    return base::fail(base::ErrorCode::invalid, "expected parts of the log with their levels, such as mqtt: debug");
  for (const auto& [part, level] : levels) {
    if (!base::set_log_level(part, level))
      return base::fail(
          base::ErrorCode::full,
          fmt::format(
              "{} parts of the log have levels of their own, the most that may; logger.set_default_level forgets them.",
              base::kMaxComponentLevels));
  }
  return {};
}

}  // namespace

LogServices::LogServices(core::Hub& hub) : hub_(hub) {
  auto write = describe_log_service("write", "Write", "Writes a line to the log.");
  write.for_everybody = true;
  write.fields = {
      {"message", "What to write, 1 to 4096 characters.", "The pump has not started.", core::field::Text{}, true},
      {"level", "How grave it is: error if nothing is said.", "warning", core::field::Option{api::log_level_names()}},
      {"logger", "Who says it, 1 to 64 characters: system_log.external if nothing is said.", "my_script",
       core::field::Text{}},
  };
  registrations_.push_back(
      hub_.services.add(std::move(write), [this](const core::ServiceCall& call, const core::ServiceReply& reply) {
        if (auto written = this->write(call); !written) return reply(std::unexpected(written.error()));
        reply(json::value());
      }));
  auto clear =
      describe_log_service("clear", "Clear", "Forgets the last lines of the log; where it is written to, they stay.");
  clear.administrator = true;
  registrations_.push_back(
      hub_.services.add(std::move(clear), [](const core::ServiceCall&, const core::ServiceReply& reply) {
        base::recent_log().clear();
        reply(json::value());
      }));
  add_logbook();
  add_levels();
}

void LogServices::add_levels() {
  core::ServiceDescription all;
  all.domain = "logger";
  all.service = "set_default_level";
  all.name = "Set default level";
  all.description = "Changes the level of the log, until the next start.";
  all.has_target = false;
  all.administrator = true;
  all.fields = {
      {"level", "The lowest level that is logged.", "debug", core::field::Option{api::log_level_names()}, true}};
  core::ServiceDescription some = all;
  some.service = "set_level";
  some.name = "Set level";
  some.description = "Changes the level of parts of the log, by their names in it, such as mqtt: debug.";
  some.fields.clear();
  some.hands_on = true;
  registrations_.push_back(
      hub_.services.add(std::move(all), [](const core::ServiceCall& call, const core::ServiceReply& reply) {
        const auto level = api::parse_log_level(call.data().at("level").get_string());
        if (!level) return reply(std::unexpected(level.error()));
        base::set_log_level(*level);
        reply(json::value());
      }));
  registrations_.push_back(
      hub_.services.add(std::move(some), [](const core::ServiceCall& call, const core::ServiceReply& reply) {
        if (auto set = set_levels(call.data()); !set) return reply(std::unexpected(set.error()));
        reply(json::value());
      }));
}

void LogServices::add_logbook() {
  core::ServiceDescription log;
  log.domain = "logbook";
  log.service = "log";
  log.name = "Log";
  log.description = "Adds an entry to the logbook.";
  log.has_target = false;
  log.fields = {
      {"name", "Whom it is about, 1 to 255 characters.", "Kitchen", core::field::Text{}, true},
      {"message", "What happened, 1 to 4096 characters.", "is being used", core::field::Text{}, true},
      {"entity_id", "The entity that it is about.", "light.kitchen", core::field::Text{}},
      {"domain", "The domain whose icon it has: that of the entity if nothing is said.", "light", core::field::Text{}},
  };
  registrations_.push_back(
      hub_.services.add(std::move(log), [this](const core::ServiceCall& call, const core::ServiceReply& reply) {
        auto entry = logbook_fields(call.data());
        if (!entry) return reply(std::unexpected(entry.error()));
        hub_.bus.fire("logbook_entry", base::to_json(*entry), core::Origin::local, call.context());
        reply(json::value());
      }));
}

base::Result<void> LogServices::write(const core::ServiceCall& call) {
  const json::object& data = call.data();
  const auto message = text_of(data, "message", 4'096, "");
  if (!message) return std::unexpected(message.error());
  const auto logger = text_of(data, "logger", 64, "system_log.external");
  if (!logger) return std::unexpected(logger.error());
  const json::value* const name = data.if_contains("level");
  const auto level = name ? api::parse_log_level(name->get_string()) : base::LogLevel::error;
  if (!level) return std::unexpected(level.error());
  if (!call.request().rights.administer()) {
    if (auto turn = take_turn(call.context().user_id.value_or("")); !turn) return turn;
  }
  if (base::log_enabled(*level, *logger)) base::write_log(*level, *logger, *message);
  return {};
}

base::Result<void> LogServices::take_turn(const base::Id& user_id) {
  const base::SteadyTime now = hub_.clock.steady_now();
  auto known = full_again_.find(user_id);
  if (known == full_again_.end()) {
    if (full_again_.size() >= kMaxUsers)
      full_again_.erase(std::ranges::min_element(full_again_, {}, [](const auto& user) { return user.second; }));
    known = full_again_.emplace(user_id, now).first;
  }
  const base::SteadyTime full_again = std::max(known->second, now);
  if (full_again - now > kInterval * (kBurst - 1)) {
    return base::fail(base::ErrorCode::throttled,
                      fmt::format("{}.write: {} lines at once, and one more every {} seconds, are the limit.", kDomain,
                                  kBurst, std::chrono::duration_cast<std::chrono::seconds>(kInterval).count()));
  }
  known->second = full_again + kInterval;
  return {};
}

}  // namespace hearth::app
