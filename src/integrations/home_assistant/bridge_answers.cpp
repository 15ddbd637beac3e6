// SPDX-License-Identifier: Apache-2.0
// Answers to the pages about one connection to another hub.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <set>
#include <utility>

#include "base/json/json_fields.h"
#include "base/text/utf8.h"
#include "integrations/home_assistant/bridge.h"

namespace hearth::integrations::home_assistant {
namespace {

using base::ErrorCode;

constexpr std::array kFates{Fate::mirrored, Fate::collision,      Fate::moved,         Fate::shadowed,
                            Fate::excluded, Fate::disabled_there, Fate::disabled_here, Fate::mirrored_there,
                            Fate::left_out, Fate::invalid};

json::value text_or_none(const std::string& text) {
  return text.empty() ? json::value() : json::value(text);
}

}  // namespace

json::object Bridge::status() const {
  json::object json = status_.json();
  const Counts counts = mirror_.counts();
  std::size_t unavailable = 0;
  for (const Listed& one : mirror_.list(Fate::mirrored)) {
    const auto state = one.entity_id_here.empty() ? nullptr : home_.hub.states.find(one.entity_id_here);
    if (state && state->value() == "unavailable") ++unavailable;
  }
  json["entities"] = json::object{{"mirrored", counts.mirrored},
                                  {"shadowed", counts.shadowed},
                                  {"collisions", counts.collisions},
                                  {"moved", counts.moved},
                                  {"excluded", counts.excluded},
                                  {"disabled", counts.disabled},
                                  {"mirrored_there", counts.mirrored_there},
                                  {"left_out", counts.left_out},
                                  {"invalid", counts.invalid},
                                  {"unavailable", unavailable}};
  json["skipped_changes"] = mirror_.skipped();
  return json;
}

void Bridge::ask(std::string_view what, const json::object& with, const core::Context& context,
                 domains::Integration::Answered done) {
  if (what == "status") return done(status());
  if (what == "entities") return done(list(with));
  if (what == "differences") return done(list_differences());
  if (what == "automations") return done(list_automations());
  if (what == "take_names") return done(take_names(with, context));
  if (what == "switch_automation") return switch_automation(with, context, std::move(done));
  if (what == "test") return test(std::move(done));
  done(base::fail(ErrorCode::not_found, fmt::format("There is no answer to {}.", what)));
}

base::Result<json::object> Bridge::list(const json::object& with) const {
  std::optional<Fate> fate;
  if (const std::string why = base::text_at(with, "why"); !why.empty()) {
    for (const Fate each : kFates)
      if (to_string(each) == why) fate = each;
    if (!fate) {
      std::string names;
      for (const Fate each : kFates) names += (names.empty() ? "" : ", ") + std::string(to_string(each));
      return base::fail(ErrorCode::invalid, fmt::format("why: expected one of {}", names));
    }
  }
  json::array entities;
  for (const Listed& one : mirror_.list(fate)) {
    entities.push_back(json::object{{"entity_id", text_or_none(one.entity_id_here)},
                                    {"entity_id_there", one.entity_id_there},
                                    {"why", to_string(one.fate)},
                                    {"detail", text_or_none(one.detail)}});
  }
  return json::object{{"entities", std::move(entities)}};
}

json::object Bridge::list_differences() const {
  json::array all;
  for (const Difference& one : mirror_.differences())
    all.push_back(json::object{{"id", one.id}, {"field", one.field}, {"here", one.here}, {"there", one.there}});
  return {{"differences", std::move(all)}};
}

base::Result<json::object> Bridge::take_names(const json::object& with, const core::Context& context) {
  std::set<std::string> ids;
  const json::value& given = base::value_at(with, "ids");
  if (!given.is_null() && !given.is_array()) return base::fail(ErrorCode::invalid, "ids: expected a list of ids");
  if (given.is_array()) {
    for (const json::value& id : given.get_array()) {
      if (!id.is_string()) return base::fail(ErrorCode::invalid, "ids: expected a list of ids");
      ids.emplace(id.get_string());
    }
  }
  const std::set<std::string>* const only = given.is_array() ? &ids : nullptr;
  const std::size_t changed = mirror_.differences(only).size();
  if (auto taken = mirror_.take_again(context, only); !taken) return std::unexpected(std::move(taken.error()));
  return json::object{{"changed", changed}};
}

json::object Bridge::list_automations() const {
  json::array all;
  for (const DoubleAutomations::One& one : doubles_.list()) {
    all.push_back(json::object{{"id", one.id},
                               {"name", one.name},
                               {"entity_id", one.entity_here},
                               {"entity_id_there", one.entity_there},
                               {"on_here", one.on_here},
                               {"on_there", one.on_there}});
  }
  return {{"automations", std::move(all)}};
}

void Bridge::switch_automation(const json::object& with, const core::Context& context,
                               domains::Integration::Answered done) {
  const std::string on = base::text_at(with, "on");
  if (!calls_) return done(base::fail(ErrorCode::unavailable, "The connection has ended."));
  if (on != "here" && on != "there") return done(base::fail(ErrorCode::invalid, "on: expected here or there"));
  doubles_.switch_over(base::text_at(with, "id"), on == "here", context,
                       [this, done = std::move(done)](base::Result<void> switched) {
                         if (switched) return done(list_automations());
                         done(std::unexpected(std::move(switched.error())));
                       });
}

void Bridge::test(domains::Integration::Answered done) {
  if (!calls_ || probe_) return done(base::fail(ErrorCode::conflict, "It is being tried already, or has ended."));
  probe_ = std::make_unique<HubProbe>(
      *home_.reactor, home_.bus, options_, home_.hub.config.load()->language,
      [this, done = std::move(done)](const std::expected<HubProbe::Found, HubProbe::Failed>& found) {
        const auto ended = std::exchange(probe_, {});
        if (!found) return done(base::fail(ErrorCode::unreachable, base::utf8_excerpt(found.error().message, 500)));
        const OtherHub& hub = found->hub;
        done(json::object{{"location_name", text_or_none(hub.name)},
                          {"version", hub.hearth_version.empty() ? hub.version : hub.hearth_version},
                          {"is_hearth", !hub.hearth_version.empty()},
                          {"entities", found->entities},
                          {"running", found->running},
                          {"user", hub.user_name},
                          {"administrator", hub.administrator}});
      });
}

}  // namespace hearth::integrations::home_assistant
