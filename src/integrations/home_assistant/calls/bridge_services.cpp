// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/calls/bridge_services.h"

#include <fmt/format.h>

#include <utility>

#include "base/json/json_fields.h"
#include "base/text/utf8.h"
#include "core/values/entity_id.h"

namespace hearth::integrations::home_assistant {
namespace {

namespace field = core::field;
using base::ErrorCode;

constexpr core::Field kInstance{"instance", "The name of the connection; by default the first.", "home", field::Text{}};
constexpr int kDefaultHours = 24;

core::ServiceDescription bridge_service(std::string service, std::string name, std::string description) {
  core::ServiceDescription described;
  described.domain = "home_assistant";
  described.service = std::move(service);
  described.name = std::move(name);
  described.description = std::move(description);
  described.has_target = false;
  return described;
}

// The data is at fault for what is not there.
void answer(base::Result<void> done, const core::ServiceReply& reply) {
  if (done) return reply(json::value());
  if (done.error().code == ErrorCode::not_found) done.error().code = ErrorCode::invalid;
  reply(std::unexpected(std::move(done.error())));
}

}  // namespace

BridgeServices::BridgeServices(core::Hub& hub, Actions actions) : hub_(hub), actions_(std::move(actions)) {
  auto call = bridge_service("call", "Call a service there",
                             "Calls any service of a mirrored hub, also one whose name is taken here.");
  call.fields = {
      kInstance,
      {"domain", "The service's domain there.", "notify", field::Text{}, true},
      {"service", "Its name there.", "mobile_app_phone", field::Text{}, true},
      {"target", "Entities, devices, areas, floors or labels there.",
       core::Example::Json{R"({"entity_id":"script.good_night"})"}, field::Object{}},
      {"data", "What the service gets.", core::Example::Json{R"({"message":"The washing is done."})"}, field::Object{}},
  };
  call.response = core::ResponseSupport::optional;
  call.longest = CallSender::kResponseLimit + std::chrono::seconds(30);
  add(std::move(call),
      [this](const core::ServiceCall& made, core::ServiceReply reply) { this->call(made, std::move(reply)); });

  auto reload = bridge_service("reload", "Connect anew", "Ends the connection to a mirrored hub and connects again.");
  reload.administrator = true;
  reload.fields = {{"instance", "The name of the connection; by default all.", "home", field::Text{}}};
  add(std::move(reload), [this](const core::ServiceCall& made, const core::ServiceReply& reply) {
    answer(actions_.reload(base::short_text_at(made.data(), "instance")), reply);
  });

  auto adopt = bridge_service("adopt", "Adopt an entity",
                              "Gives an entity of this hub the id, names and history of a mirrored one, which is "
                              "mirrored no more.");
  adopt.administrator = true;
  adopt.fields = {
      {"from", "The mirrored entity.", "light.kitchen", field::Entity{}, true},
      {"to", "The entity of this hub.", "light.kitchen_2", field::Entity{}, true},
  };
  add(std::move(adopt), [this](const core::ServiceCall& made, const core::ServiceReply& reply) {
    const auto id = [&](std::string_view key) { return core::lower_case(base::short_text_at(made.data(), key)); };
    answer(actions_.adopt(id("from"), id("to"), made.context()), reply);
  });

  auto action = bridge_service("device_action", "Device action",
                               "Does with a device what only the hub knows whose device it is, as a step of an "
                               "automation says it.");
  action.fields = {{"action", "The step.", core::Example::Json{R"({"device_id":"3f","domain":"zha","type":"squawk"})"},
                    field::Object{}, true}};
  add(std::move(action), [this](const core::ServiceCall& made, const core::ServiceReply& reply) {
    const json::object& step = made.data().at("action").as_object();
    const std::string device_id = base::short_text_at(step, "device_id");
    if (core::DeviceDelegate* const delegate = core::find_delegate(hub_, device_id))
      return delegate->run(step, made.context(), reply);
    reply(base::fail(ErrorCode::invalid,
                     fmt::format("No hub is connected that knows the device {}.", base::utf8_excerpt(device_id))));
  });

  auto gaps = bridge_service("fill_gaps", "Fill gaps",
                             "Fetches the history of a time without connection from the mirrored hub.");
  gaps.administrator = true;
  gaps.longest = CallSender::kResponseLimit;
  gaps.fields = {
      {"instance", "The name of the connection; by default all.", "home", field::Text{}},
      {"hours", "How far back.", kDefaultHours, field::Integer{1, kMaxHours, "h"}},
  };
  add(std::move(gaps), [this](const core::ServiceCall& made, core::ServiceReply reply) {
    const auto hours = base::number_at(made.data(), "hours");
    actions_.fill_gaps(base::short_text_at(made.data(), "instance"),
                       hours == 0 ? kDefaultHours : static_cast<int>(hours), std::move(reply));
  });
}

void BridgeServices::add(core::ServiceDescription description, core::ServiceHandler handler) {
  registrations_.push_back(hub_.services.add(std::move(description), std::move(handler)));
}

void BridgeServices::call(const core::ServiceCall& made, core::ServiceReply reply) const {
  const json::object& data = made.data();
  const std::string name = base::short_text_at(data, "instance");
  InstanceCalls* const instance = actions_.find(name);
  if (!instance) {
    return reply(base::fail(ErrorCode::invalid,
                            name.empty() ? std::string("There is no connection to another hub.")
                                         : fmt::format("instance: there is no {}.", base::utf8_excerpt(name))));
  }
  InstanceCalls::Direct direct{.domain = core::lower_case(base::short_text_at(data, "domain")),
                               .service = core::lower_case(base::short_text_at(data, "service")),
                               .context = made.context(),
                               .return_response = made.request().return_response};
  if (!core::is_slug(direct.domain) || !core::is_slug(direct.service))
    return reply(base::fail(ErrorCode::invalid, "domain and service: expected two such as light and turn_on"));
  if (const json::object* const target = base::value_at(data, "target").if_object()) direct.target = *target;
  if (const json::object* const given = base::value_at(data, "data").if_object()) direct.data = *given;
  instance->call(std::move(direct), std::move(reply));
}

}  // namespace hearth::integrations::home_assistant
