// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/node/node_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/text/utf8.h"
#include "integrations/esphome/node/names.h"

namespace hearth::integrations::esphome {
namespace {

namespace field = core::field;

constexpr std::string_view kDomain = "esphome";
constexpr std::uint32_t kOptionalAnswer = 1, kOnlyAnswer = 2, kStatusAnswer = 100;
constexpr field::Integer kWhole{std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};

enum ArgumentType : std::uint32_t { kBool, kInt, kFloat, kText, kBools, kInts, kFloats, kTexts };

field::Type element_type(std::uint32_t type) {
  switch (type % kBools) {
    case kBool:
      return field::Boolean{};
    case kInt:
      return kWhole;
    case kFloat:
      return field::Number{};
    default:
      return field::Text{};
  }
}

field::Type field_type(std::uint32_t type) {
  if (type == kTexts) return field::TextList{};
  return type >= kBools ? field::Type(field::Any{}) : element_type(type);
}

void put_element(proto::ActionValue& to, std::uint32_t type, const json::value& value) {
  const auto whole = [&] { return static_cast<std::int32_t>(value.to_number<std::int64_t>()); };
  const auto number = [&] { return static_cast<float>(value.to_number<double>()); };
  if (type == kBool) to.set_bool_(value.get_bool());
  if (type == kInt) to.set_int_(whole());
  if (type == kFloat) to.set_float_(number());
  if (type == kText) to.set_string_(std::string(value.get_string()));
  if (type == kBools) to.add_bool_array(value.get_bool());
  if (type == kInts) to.add_int_array(whole());
  if (type == kFloats) to.add_float_array(number());
  if (type == kTexts) to.add_string_array(std::string(value.get_string()));
}

// Fails with invalid; the message names the field.
base::Result<void> put_value(proto::ActionValue& to, std::string_view name, std::uint32_t type,
                             const json::value& value) {
  if (type < kBools) {
    put_element(to, type, value);
    return {};
  }
  const json::array single{value};
  for (const json::value& each : value.is_array() ? value.get_array() : single) {
    const auto element = field::convert(element_type(type), each);
    if (!element) {
      return base::fail(base::ErrorCode::invalid, fmt::format("{}: a list, of which each is {}", name,
                                                              field::complaint(element_type(type), each)));
    }
    put_element(to, type, *element);
  }
  return {};
}

}  // namespace

bool NodeActions::Action::operator==(const Action& other) const {
  return name == other.name && key == other.key && response == other.response &&
         std::ranges::equal(arguments, other.arguments, [](const Argument& one, const Argument& two) {
           return one.name == two.name && one.type == two.type;
         });
}

bool NodeActions::take(std::string_view description) {
  const auto list = parse_message<proto::ListAction>(description);
  if (!list) return false;
  const std::string name = clean_text(list->name());
  if (slug_of(name).empty() || listed_.size() >= kMaxActions || std::cmp_greater(list->args_size(), kMaxFields)) {
    node_.complain(name, fmt::format("{} offers an action that cannot be a service: {}", node_.name, name));
    return true;
  }
  auto action = std::make_shared<Action>();
  action->name = name;
  action->key = list->key();
  action->response = list->response();
  for (const proto::ActionArgument& each : list->args()) {
    if (each.type() > kTexts) {
      node_.complain(name,
                     fmt::format("{} offers the action {}, whose argument {} has a type that the hub does not know",
                                 node_.name, name, clean_text(each.name())));
      return true;
    }
    action->arguments.push_back({clean_text(each.name()), each.type()});
  }
  listed_.push_back(std::move(action));
  return true;
}

void NodeActions::finish(std::string_view node_name) {
  std::map<std::string, Offered> before = std::exchange(offered_, {});
  for (const ActionPtr& action : std::exchange(listed_, {})) {
    const std::string service = slug_of(fmt::format("{}_{}", node_name, action->name));
    if (offered_.contains(service)) continue;
    const auto known = before.find(service);
    if (known != before.end() && *known->second.action == *action)
      offered_.insert(before.extract(known));
    else
      offered_.emplace(service, Offered{action, {}});
  }
  before.clear();
  for (auto& [service, offered] : offered_) {
    if (!offered.service) offered.service = offer(service, offered.action);
  }
}

core::Registration NodeActions::offer(const std::string& service, const ActionPtr& action) {
  if (node_.hub.services.has_own(kDomain, service)) {
    node_.complain(service, fmt::format("there is a service {}.{} of another node already", kDomain, service));
    return {};
  }
  core::ServiceDescription description;
  description.domain = kDomain;
  description.service = service;
  description.name = action->name;
  description.description = fmt::format("An action of {}.", node_.name);
  description.has_target = false;
  if (action->response == kOptionalAnswer || action->response == kOnlyAnswer)
    description.response = core::ResponseSupport::optional;
  for (const Argument& argument : action->arguments) {
    core::Field described;
    described.name = argument.name;  // of the action, which the handler keeps
    described.type = field_type(argument.type);
    described.required = true;
    description.fields.push_back(described);
  }
  return node_.hub.services.add(std::move(description),
                                [this, action](const core::ServiceCall& made, core::ServiceReply reply) {
                                  call(*action, made, std::move(reply));
                                });
}

void NodeActions::call(const Action& action, const core::ServiceCall& call, core::ServiceReply reply) {
  proto::RunAction message;
  message.set_key(action.key);
  for (const Argument& argument : action.arguments) {
    const json::value* const given = call.data().if_contains(argument.name);
    if (!given) return reply(base::fail(base::ErrorCode::invalid, fmt::format("{}: missing", argument.name)));
    if (auto put = put_value(*message.add_args(), argument.name, argument.type, *given); !put)
      return reply(std::unexpected(put.error()));
  }
  const bool answered = action.response != 0;
  if (answered && unanswered_.size() >= kMaxUnanswered) {
    return reply(base::fail(base::ErrorCode::unavailable,
                            fmt::format("{} has not answered {} calls yet.", node_.name, unanswered_.size())));
  }
  if (answered) {
    message.set_call_id(++last_call_);
    message.set_return_response(action.response == kOnlyAnswer || call.request().return_response);
  }
  if (!node_.sender.send(message::run_action, message))
    return reply(base::fail(base::ErrorCode::unavailable, fmt::format("{} is not connected.", node_.name)));
  if (!answered) return reply(json::value());
  const std::uint32_t call_id = last_call_;
  core::Timer limit = node_.bus.schedule(kAnswerLimit, [this, call_id] {
    reply_to(call_id,
             base::fail(base::ErrorCode::unavailable, fmt::format("{} did not answer within 30 s.", node_.name)));
  });
  unanswered_.emplace(call_id, Unanswered{std::move(reply), std::move(limit)});
}

void NodeActions::reply_to(std::uint32_t call_id, base::Result<json::value> answer) {
  auto found = unanswered_.extract(call_id);
  if (!found.empty()) found.mapped().reply(std::move(answer));
}

bool NodeActions::receive(std::string_view payload) {
  const auto result = parse_message<proto::ActionResult>(payload);
  if (!result) return false;
  if (!result->success()) {
    const std::string said = clean_text(result->error_message(), kMaxText);
    reply_to(result->call_id(),
             base::fail(base::ErrorCode::invalid, said.empty() ? fmt::format("{} says that it failed.", node_.name)
                                                               : fmt::format("{}: {}", node_.name, said)));
    return true;
  }
  if (result->response_data().empty()) {
    reply_to(result->call_id(), json::value(json::object()));
    return true;
  }
  auto data = base::parse_json(result->response_data());
  if (!data || !data->is_object()) {
    reply_to(result->call_id(),
             base::fail(base::ErrorCode::unavailable, fmt::format("{} answers what is no JSON object.", node_.name)));
    return true;
  }
  reply_to(result->call_id(), std::move(*data));
  return true;
}

void NodeActions::fail_calls() {
  for (auto& [call_id, call] : std::exchange(unanswered_, {}))
    call.reply(base::fail(base::ErrorCode::unavailable, fmt::format("{} is not connected any more.", node_.name)));
}

}  // namespace hearth::integrations::esphome
