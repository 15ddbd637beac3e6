// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/connection/home_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "integrations/home_assistant/protocol/services.h"
#include "integrations/home_assistant/protocol/text_parts.h"

namespace hearth::integrations::home_assistant {
namespace {

using IfLate = Commands::IfLate;

// They are states and registry already, or nobody's business.
bool is_inner(std::string_view type) {
  static constexpr std::array<std::string_view, 6> kTypes = {"state_changed",       "call_service", "component_loaded",
                                                             "core_config_updated", "time_changed", "logging_changed"};
  return std::ranges::find(kTypes, type) != kTypes.end() || type == "timer_out_of_sync" ||
         type.starts_with("service_") || type.starts_with("homeassistant_") || type.starts_with("recorder_") ||
         type.ends_with("_registry_updated");
}

}  // namespace

HomeReader::HomeReader(Commands& commands, const SessionOptions& options, Ends ends)
    : commands_(commands),
      options_(options),
      ends_(std::move(ends)),
      listing_(commands),
      states_(commands, options.filter, options.max_updates, ends_.tell, [this] { proceed(); }) {}

void HomeReader::begin() {
  end();
  began_ = commands_.now();
  commands_.ask(
      {{"type", "supported_features"}, {"features", {{"coalesce_messages", 1}}}}, [](const Incoming&) {}, IfLate::fail);
  first_missing_ = 0;
  ask_first({{"type", "get_config"}}, IfLate::end_connection, [this](const Incoming& answer) { take_config(answer); });
  ask_first({{"type", "auth/current_user"}}, IfLate::end_connection, [this](const Incoming& answer) {
    if (answer.success) read_user(hub_, object_of(answer.result));
  });
  ask_first({{"type", "auth/refresh_tokens"}}, IfLate::fail, [this](const Incoming& answer) {
    if (const auto tokens = answer.success ? value_of(answer.result) : std::nullopt) read_tokens(hub_, *tokens);
  });
  // Before the listing, so that no change of a registry falls between the two.
  follow_registries();
  list();
  states_.begin();
  follow_changes();
  ask_services();
  // The last of them, so that it is known by then what else the hub there lacks.
  ask_first({{"type", "config/entity_registry/get_entries"}, {"entity_ids", json::array()}}, IfLate::fail,
            [](const Incoming&) {});
}

void HomeReader::end() {
  listing_.stop();
  hub_ = {};
  opened_ = running_ = running_told_ = picture_told_ = listed_ = listing_whole_ = stale_ = false;
  registries_.reset();
  naming_.reset();
  services_.reset();
  config_at_.reset();
  list_at_.reset();
  services_at_.reset();
}

void HomeReader::ask_first(json::object command, IfLate if_late, std::function<void(const Incoming&)> take) {
  ++first_missing_;
  commands_.ask(
      std::move(command),
      [this, take = std::move(take)](const Incoming& answer) {
        take(answer);
        if (--first_missing_ > 0) return;
        hub_.missing = ends_.missing();
        ends_.tell(Opened{hub_});
        opened_ = true;
        proceed();
      },
      if_late);
}

void HomeReader::ask_config() {
  commands_.ask(
      {{"type", "get_config"}}, [this](const Incoming& answer) { take_config(answer); }, IfLate::end_connection);
}

void HomeReader::take_config(const Incoming& answer) {
  const json::object config = object_of(answer.result);
  if (!answer.success || config.empty()) return ends_.fail("does not tell its configuration");
  if (!opened_) read_config(hub_, config);
  if (running_) return;
  if (is_running(config)) return run();
  if (commands_.now() - began_ < kStart) config_at_ = commands_.now() + kStartAgain;
}

void HomeReader::run() {
  running_ = true;
  config_at_.reset();
  if (!opened_) {
    // It ran before the first listing began.
    listing_whole_ = true;
    return;
  }
  listing_whole_ = false;
  list_soon();
  services_soon();
}

void HomeReader::list() {
  list_at_.reset();
  stale_ = false;
  listing_whole_ = running_;
  listing_.start([this](Registries registries) {
    listed_at_ = commands_.now();
    registries_ = std::move(registries);
    if (stale_) list_soon();
    proceed();
  });
}

void HomeReader::list_soon() {
  stale_ = true;
  states_.hold();
  if (listing_.running() || list_at_) return;
  list_at_ = commands_.now() + kListAfter;
  // The hub there, when it runs at last, is worth a listing at once.
  if (running_ == running_told_) list_at_ = std::max(*list_at_, listed_at_ + kListEach);
}

void HomeReader::ask_services() {
  services_at_.reset();
  services_asked_ = commands_.now();
  commands_.ask(
      {{"type", "get_services"}},
      [this](const Incoming& answer) {
        if (!answer.success) return;
        naming_ = read_services(answer.result);
        ask_names(options_.language);
      },
      IfLate::fail);
}

void HomeReader::ask_names(std::string language) {
  if (!naming_ || language.empty() || !lack_names(*naming_)) {
    if (naming_) services_ = std::exchange(naming_, {});
    return proceed();
  }
  commands_.ask(
      {{"type", "frontend/get_translations"}, {"language", language}, {"category", "services"}},
      [this, language](const Incoming& answer) {
        if (naming_ && answer.success) add_names(*naming_, object_of(answer.result));
        ask_names(language == "en" ? "" : "en");
      },
      IfLate::fail);
}

void HomeReader::services_soon() {
  if (!services_at_) services_at_ = std::max(commands_.now() + kServicesAfter, services_asked_ + kServicesEach);
}

void HomeReader::follow_registries() {
  for (const std::string_view registry : {"entity", "device", "area", "floor", "label"}) {
    commands_.follow(
        {{"type", "subscribe_events"}, {"event_type", std::string(registry) + "_registry_updated"}},
        [this](std::string_view) { list_soon(); }, [](const Incoming&) {});
  }
}

void HomeReader::follow_changes() {
  for (const std::string_view type : {"service_registered", "service_removed", "component_loaded"}) {
    commands_.follow(
        {{"type", "subscribe_events"}, {"event_type", type}}, [this](std::string_view) { services_soon(); },
        [](const Incoming&) {});
  }
  commands_.follow(
      {{"type", "subscribe_events"}, {"event_type", "homeassistant_started"}},
      [this](std::string_view) {
        if (!running_) ask_config();
      },
      [](const Incoming&) {});
  for (const std::string& type : options_.receive) follow_events(type);
}

void HomeReader::follow_events(const std::string& type) {
  if (type != "*" && (is_inner(type) || options_.receive.contains("*"))) return;
  json::object command{{"type", "subscribe_events"}};
  if (type != "*") command["event_type"] = type;
  commands_.follow(
      std::move(command),
      [this](std::string_view text) {
        states_.count(1);
        if (!opened_ || text.size() > kMaxEvent) return;
        OtherEvent event = read_event(text, ends_.time());
        if (!event.type.empty() && !is_inner(event.type)) ends_.tell(std::move(event));
      },
      [](const Incoming&) {});
}

void HomeReader::proceed() {
  if (!opened_) return;
  if (services_) ends_.tell(Services{*std::exchange(services_, {})});
  if (registries_) {
    ends_.tell(*std::exchange(registries_, {}));
    listed_ = true;
    if (!stale_) states_.release();
  }
  if (!listed_ || !states_.has_picture()) return;
  const bool whole = running_ && listing_whole_ && !listing_.running();
  if (whole && !running_told_) {
    running_told_ = picture_told_ = true;
    ends_.tell(Running{});
    states_.tell_picture(true);
  } else if (!picture_told_) {
    picture_told_ = true;
    states_.tell_picture(false);
  }
}

void HomeReader::on_time() {
  const auto now = commands_.now();
  if (config_at_ && now >= *config_at_) {
    config_at_.reset();
    ask_config();
  }
  if (list_at_ && now >= *list_at_ && !listing_.running()) list();
  if (services_at_ && now >= *services_at_) ask_services();
  states_.on_time();
}

std::optional<base::SteadyTime> HomeReader::next() const {
  std::optional<base::SteadyTime> next = states_.next();
  for (const auto& time : {config_at_, list_at_, services_at_}) {
    if (time) next = next ? std::min(*next, *time) : *time;
  }
  return next;
}

}  // namespace hearth::integrations::home_assistant
