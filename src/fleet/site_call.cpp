// SPDX-License-Identifier: Apache-2.0
#include "fleet/site_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/json/json_fields.h"
#include "core/values/entity_id.h"
#include "fleet/batch.h"

namespace hearth::fleet {
namespace {

using base::ErrorCode;
using base::Result;

constexpr std::int64_t kFormat = 1;
constexpr std::size_t kMaxChanged = 10'000;
constexpr std::size_t kMaxMessage = 4'096;  // bytes of an error

constexpr std::array<std::pair<std::string_view, ErrorCode>, 10> kCodes{{{"invalid", ErrorCode::invalid},
                                                                         {"unsupported", ErrorCode::unsupported},
                                                                         {"unauthorized", ErrorCode::unauthorized},
                                                                         {"forbidden", ErrorCode::forbidden},
                                                                         {"not_found", ErrorCode::not_found},
                                                                         {"conflict", ErrorCode::conflict},
                                                                         {"throttled", ErrorCode::throttled},
                                                                         {"full", ErrorCode::full},
                                                                         {"unavailable", ErrorCode::unavailable},
                                                                         {"internal", ErrorCode::internal}}};

// Of PINs, beside `invalid`, which older portals know.
constexpr std::string_view kPin = "pin";
constexpr std::array<std::pair<std::string_view, ErrorCode>, 2> kPinCodes{
    {{"needed", ErrorCode::pin_needed}, {"wrong", ErrorCode::pin_wrong}}};

std::string_view name_of(ErrorCode code) {
  for (const auto& [name, known] : kCodes) {
    if (known == code) return name;
  }
  return "internal";
}

std::int64_t micros(base::Duration duration) {
  return duration.count();
}
base::Timestamp time_of(const json::object& object, std::string_view key) {
  return base::Timestamp(base::Duration(base::number_at(object, key)));
}

json::object to_json(const core::Context& context) {
  json::object made{{"id", context.id.str()}};
  if (context.parent_id) made["parent_id"] = context.parent_id->str();
  return made;
}

// Users of another home are not known here.
core::Context context_of(const json::value& given) {
  core::Context context;
  if (!given.is_object()) return context;
  context.id = base::Id(base::short_text_at(given.get_object(), "id"));
  if (const std::string parent = base::short_text_at(given.get_object(), "parent_id"); !parent.empty())
    context.parent_id = base::Id(parent);
  return context;
}

std::unexpected<base::Error> no_request(std::string_view why) {
  return base::fail(ErrorCode::invalid, fmt::format("This is no request to a site: {}.", why));
}
std::unexpected<base::Error> no_answer(std::string_view why) {
  return base::fail(ErrorCode::invalid, fmt::format("This is no answer of a site: {}.", why));
}

json::object to_json(const SiteCall& call) {
  json::object made{{"do", "call"},
                    {"key", call.key},
                    {"user", call.user},
                    {"role", core::to_string(call.role)},
                    {"context", to_json(call.context)},
                    {"within", micros(call.within)},
                    {"wait", micros(call.wait)},
                    {"domain", call.domain},
                    {"service", call.service},
                    {"entity_ids", json::array(call.entity_ids.begin(), call.entity_ids.end())},
                    {"data", call.data},
                    {"return_response", call.return_response}};
  if (!call.pin.empty()) made["pin"] = call.pin;
  return made;
}
json::object to_json(const Resend& resend) {
  return {{"do", "resend"}, {"epoch", resend.epoch}, {"after", resend.after}, {"until", resend.until}};
}
json::object to_json(const SendSnapshot&) {
  return {{"do", "snapshot"}};
}

Result<SiteRequest> read_call(const json::object& given) {
  SiteCall call;
  call.key = base::short_text_at(given, "key");
  call.user = base::short_text_at(given, "user");
  call.pin = base::short_text_at(given, "pin");
  const auto role = core::parse_role(base::short_text_at(given, "role"));
  // Nobody administers another home from outside.
  call.role = role && *role != core::Role::reader ? core::Role::user : core::Role::reader;
  call.context = context_of(base::value_at(given, "context"));
  call.within = base::Duration(base::number_at(given, "within"));
  call.wait = std::clamp(base::Duration(base::number_at(given, "wait")), base::Duration(0),
                         base::Duration(std::chrono::seconds(10)));
  call.domain = base::short_text_at(given, "domain");
  call.service = base::short_text_at(given, "service");
  call.return_response = base::flag_at(given, "return_response");
  if (const auto* const data = base::value_at(given, "data").if_object()) call.data = *data;
  const json::array* const ids = base::value_at(given, "entity_ids").if_array();
  if (call.key.empty() || call.context.id.empty() || call.domain.empty() || call.service.empty() || !ids ||
      ids->empty())
    return no_request("a call needs key, context, domain, service and entity_ids");
  for (const json::value& id : *ids) {
    if (!id.is_string()) return no_request("an entity's id is none");
    call.entity_ids.emplace_back(id.get_string());
  }
  return call;
}

Result<json::object> read_object(std::string_view text) {
  auto parsed = base::parse_json(text);
  if (!parsed) return std::unexpected(std::move(parsed.error()));
  if (!parsed->is_object()) return base::fail(ErrorCode::invalid, "it is no object");
  return std::move(parsed->get_object());
}

}  // namespace

std::string encode_request(const SiteRequest& request) {
  json::object made = std::visit([](const auto& each) { return to_json(each); }, request);
  made["format"] = kFormat;
  return base::to_json(made);
}

Result<SiteRequest> decode_request(std::string_view text) {
  const auto given = read_object(text);
  if (!given) return no_request(given.error().message);
  if (const auto format = base::number_at(*given, "format"); format != kFormat) {
    return base::fail(ErrorCode::unsupported,
                      fmt::format("The format {} of requests is not known here: a newer hub has made it.", format));
  }
  const std::string what = base::short_text_at(*given, "do");
  if (what == "call") return read_call(*given);
  if (what == "resend") {
    Resend range{base::short_text_at(*given, "epoch"), base::number_at(*given, "after"),
                 base::number_at(*given, "until")};
    if (!is_epoch(range.epoch) || range.after < 0 || range.until <= range.after)
      return no_request("it does not say which changes of which history to send again");
    return range;
  }
  if (what == "snapshot") return SendSnapshot{};
  return base::fail(ErrorCode::unsupported, fmt::format("This hub does not know how to \"{}\".", what));
}

std::string encode_answer(const Result<core::CallOutcome>& outcome) {
  if (!outcome) {
    const base::Error& error = outcome.error();
    json::object refusal{{"ok", false}, {"code", name_of(error.code)}, {"message", error.message}};
    for (const auto& [name, code] : kPinCodes) {
      if (error.code != code) continue;
      refusal["code"] = name_of(ErrorCode::invalid);
      refusal[kPin] = name;
    }
    return base::to_json(refusal);
  }
  json::array changed;
  for (const core::StatePtr& state : outcome->changed) {
    changed.push_back(json::object{{"entity_id", state->entity_id()},
                                   {"state", state->value()},
                                   {"attributes", state->attributes_json()},
                                   {"last_changed", state->last_changed().time_since_epoch().count()},
                                   {"last_updated", state->last_updated().time_since_epoch().count()},
                                   {"context", to_json(state->context())}});
  }
  return base::to_json(json::object{{"ok", true}, {"changed", std::move(changed)}, {"response", outcome->response}});
}

Result<SiteAnswer> decode_answer(std::string_view text) {
  auto given = read_object(text);
  if (!given) return no_answer(given.error().message);
  if (!base::flag_at(*given, "ok")) {
    const std::string code = base::short_text_at(*given, "code");
    const std::string pin = base::short_text_at(*given, kPin);
    for (const auto& [name, known] : kPinCodes) {
      if (name == pin) return base::fail(known, base::text_at(*given, "message", kMaxMessage));
    }
    for (const auto& [name, known] : kCodes) {
      if (name == code) return base::fail(known, base::text_at(*given, "message", kMaxMessage));
    }
    return no_answer("it says neither that it worked nor why not");
  }
  SiteAnswer answer;
  answer.response = base::value_at(*given, "response");
  const json::array* const changed = base::value_at(*given, "changed").if_array();
  if (!changed || changed->size() > kMaxChanged) return no_answer("it does not list what has changed");
  for (const json::value& each : *changed) {
    if (!each.is_object()) return no_answer("a changed state is none");
    const json::object& state = each.get_object();
    answer.changed.push_back({base::short_text_at(state, "entity_id"),
                              base::short_text_at(state, "state"),
                              base::text_at(state, "attributes", std::size_t{16} << 20),
                              {time_of(state, "last_changed"), time_of(state, "last_updated")},
                              context_of(base::value_at(state, "context"))});
  }
  return answer;
}

}  // namespace hearth::fleet
