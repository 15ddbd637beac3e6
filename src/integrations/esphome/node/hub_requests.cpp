// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/node/hub_requests.h"

#include <fmt/format.h>

#include <utility>

#include "base/text/utf8.h"

namespace hearth::integrations::esphome {
namespace {

constexpr templates::Limits kLimits{.units = 200'000, .output_bytes = 32 * 1024, .milliseconds = 20};
constexpr std::string_view kEventPrefix = "esphome.";
constexpr std::size_t kMaxData = 16 * 1024;  // bytes of a value that a node gives

// The state or an attribute as the node gets it: a text as it is, otherwise as Python prints it.
std::optional<std::string> wanted_value(const core::State& state, const std::string& attribute) {
  if (attribute.empty()) return std::string(state.value());
  const json::object attributes = state.attributes();
  const json::value* const found = attributes.if_contains(attribute);
  if (!found || found->is_null()) return {};
  return core::field::printed(*found);
}

}  // namespace

HubRequests::HubRequests(NodeContext& node, bool allow_service_calls)
    : node_(node),
      allow_service_calls_(allow_service_calls),
      rights_(core::Role::user),
      view_(node.hub, rights_),
      self_(std::make_shared<HubRequests*>(this)) {
  environment_.home = &view_;
  environment_.clock = &node.hub.clock;
  environment_.limits = kLimits;
}

bool HubRequests::too_many() {
  const auto now = node_.hub.clock.steady_now();
  if (now - second_ >= std::chrono::seconds(1)) {
    second_ = now;
    in_second_ = 0;
  }
  return ++in_second_ > kMaxPerSecond;
}

base::Result<json::object> HubRequests::data_of(const proto::HubRequest& request) {
  json::object data;
  for (const proto::NamedText& each : request.data()) data[clean_text(each.key())] = clean_text(each.value(), kMaxData);
  if (request.data_template().empty()) return data;
  templates::Variables variables;
  for (const proto::NamedText& each : request.variables())
    variables.emplace_back(clean_text(each.key()), clean_text(each.value(), kMaxData));
  environment_.zone = templates::Zone::of(node_.hub.config.load()->time_zone);
  for (const proto::NamedText& each : request.data_template()) {
    const std::string key = clean_text(each.key());
    const auto compiled = templates::Template::compile(clean_text(each.value(), kMaxData), kLimits);
    if (!compiled) {
      return base::fail(base::ErrorCode::invalid,
                        fmt::format("{}: expected a valid template: {}", key, compiled.error().message));
    }
    auto text = compiled->render(environment_, variables);
    if (!text) return base::fail(base::ErrorCode::invalid, fmt::format("{}: {}", key, text.error().message));
    data[key] = std::move(*text);
  }
  return data;
}

bool HubRequests::receive_request(std::string_view payload, const std::string& device_id) {
  const auto request = parse_message<proto::HubRequest>(payload);
  if (!request) return false;
  if (too_many()) {
    node_.complain("requests", fmt::format("{} asks for more than {} events and calls a second; some are left out",
                                           node_.name, kMaxPerSecond));
    answer(request->call_id(), base::fail(base::ErrorCode::throttled, "too many requests"));
    return true;
  }
  auto data = data_of(*request);
  if (!data) {
    node_.complain("request",
                   fmt::format("{} asks for {}: {}", node_.name, clean_text(request->service()), data.error().message));
    answer(request->call_id(), std::unexpected(data.error()));
  } else if (request->is_event()) {
    fire(*request, std::move(*data), device_id);
  } else {
    call(*request, std::move(*data));
  }
  return true;
}

void HubRequests::fire(const proto::HubRequest& request, json::object data, const std::string& device_id) {
  const std::string type = clean_text(request.service());
  if (!type.starts_with(kEventPrefix) || type.size() == kEventPrefix.size()) {
    node_.complain(type,
                   fmt::format("{} fires the event {}; expected a name that begins with esphome.", node_.name, type));
    return answer(request.call_id(), base::fail(base::ErrorCode::invalid, "an event's name begins with esphome."));
  }
  data["device_id"] = device_id;
  node_.hub.bus.fire(type, base::to_json(data), core::Origin::local, core::Context::create(node_.hub.clock.now()));
  answer(request.call_id(), json::value());
}

void HubRequests::call(const proto::HubRequest& request, json::object data) {
  const std::string name = clean_text(request.service());
  if (!allow_service_calls_) {
    if (refused_.size() < kMaxRefused && refused_.insert(name).second) {
      node_.complain("call " + name,
                     fmt::format("{} wants to call {}, which allow_service_calls does not allow", node_.name, name));
      if (on_refused_) on_refused_();
    }
    return answer(request.call_id(), base::fail(base::ErrorCode::forbidden, "the hub does not allow calls"));
  }
  const auto dot = name.find('.');
  core::ServiceRequest made{.domain = name.substr(0, dot),
                            .service = dot == std::string::npos ? std::string() : name.substr(dot + 1),
                            .data = std::move(data),
                            .context = core::Context::create(node_.hub.clock.now()),
                            .rights = rights_,
                            .return_response = request.wants_response()};
  const std::uint32_t call_id = request.call_id();
  node_.hub.services.call(
      std::move(made), [self = std::weak_ptr(self_), call_id, name](base::Result<core::CallOutcome> outcome) {
        const auto alive = self.lock();
        if (!alive) return;
        HubRequests& requests = **alive;
        if (!outcome) {
          requests.node_.complain("call " + name,
                                  fmt::format("{} calls {}: {}", requests.node_.name, name, outcome.error().message));
          return requests.answer(call_id, std::unexpected(outcome.error()));
        }
        requests.answer(call_id, std::move(outcome->response));
      });
}

void HubRequests::answer(std::uint32_t call_id, const base::Result<json::value>& result) {
  if (call_id == 0) return;
  proto::HubResult message;
  message.set_call_id(call_id);
  message.set_success(result.has_value());
  if (!result)
    message.set_error_message(result.error().message);
  else if (!result->is_null())
    message.set_response_data(base::to_json(*result));
  node_.sender.send(message::hub_result, message);
}

bool HubRequests::receive_state_wanted(std::string_view payload) {
  const auto wanted = parse_message<proto::StateWanted>(payload);
  if (!wanted) return false;
  const std::string entity_id = clean_text(wanted->entity_id()), attribute = clean_text(wanted->attribute());
  if (!core::EntityId::parse(entity_id)) {
    node_.complain("state " + entity_id,
                   fmt::format("{} wants the state of {}, which is no entity id", node_.name, entity_id));
    return true;
  }
  tell_state(entity_id, attribute);
  if (wanted->once() || states_.contains({entity_id, attribute})) return true;
  if (states_.size() >= kMaxStates) {
    node_.complain("states",
                   fmt::format("{} wants more than {} states; {} is left out", node_.name, kMaxStates, entity_id));
    return true;
  }
  states_.emplace(
      std::pair(entity_id, attribute),
      node_.bus.listen({entity_id}, [this, entity_id, attribute](const core::StateChange& change, const core::Event&) {
        if (!change.new_state) return;
        const auto now = wanted_value(*change.new_state, attribute);
        const auto before = change.old_state ? wanted_value(*change.old_state, attribute) : std::nullopt;
        if (now && now != before) tell_state(entity_id, attribute);
      }));
  return true;
}

void HubRequests::tell_state(const std::string& entity_id, const std::string& attribute) {
  const core::StatePtr state = node_.hub.states.find(entity_id);
  const auto value = state ? wanted_value(*state, attribute) : std::nullopt;
  if (!value) return;
  proto::StateGiven message;
  message.set_entity_id(entity_id);
  message.set_state(*value);
  message.set_attribute(attribute);
  node_.sender.send(message::state_given, message);
}

void HubRequests::forget() {
  states_.clear();
}

}  // namespace hearth::integrations::esphome
