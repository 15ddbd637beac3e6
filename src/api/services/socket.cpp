// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/message_reader.h"
#include "api/rows.h"
#include "api/services/described.h"
#include "core/values/entity_id.h"

namespace hearth::api {
namespace {

base::Result<core::ServiceRequest> read_request(const CommandCall& call) {
  core::ServiceRequest request;
  json::object target;
  MessageReader in(call.message);
  in.required("domain", request.domain);
  in.required("service", request.service);
  in.optional("service_data", request.data);
  in.optional("target", target);
  in.optional("return_response", request.return_response);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  request.domain = core::lower_case(request.domain);
  request.service = core::lower_case(request.service);
  if (!target.empty()) request.data["target"] = std::move(target);
  request.context = call.context();
  return request;
}

std::string result_text(const core::Context& context, const json::value& response) {
  std::string text = R"({"context":)";
  core::write_json(text, context);
  text += R"(,"response":)";
  base::write_json(text, response);
  return text += '}';
}

// Errors of the data or the rights are known before the handler runs; those of the handler come later.
CommandError failure(const base::Error& error, bool handler_ran) {
  if (!handler_ran || error.said) return error;
  if (error.code == base::ErrorCode::invalid) return {command_error::kServiceValidationError, error.message};
  if (error.code == base::ErrorCode::forbidden || error.code == base::ErrorCode::pin_needed ||
      error.code == base::ErrorCode::pin_wrong)
    return error;
  return {command_error::kHomeAssistantError, error.message};
}

CommandResult get_services(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  json::object domains;
  for (const auto services = call.home.services(); const auto& [domain, by_name] : *services) {
    json::object descriptions;
    for (const auto& [name, service] : *by_name) descriptions[name] = described(call.home, service->description);
    domains[domain] = std::move(descriptions);
  }
  return base::to_json(domains);
}

// Fails with not_found, unauthorized and the like.
void call_service(const CommandCall& call, CommandReply reply) {
  auto request = read_request(call);
  if (!request) return reply.send(std::unexpected(request.error()));
  const core::Context context = request->context;
  auto shared = std::make_shared<CommandReply>(std::move(reply));
  call.home.call(std::move(*request),
                 [shared, context, home = call.home](const base::Result<core::CallOutcome>& outcome) {
                   if (!outcome) return shared->send(std::unexpected(failure(outcome.error(), home.on_bus_thread())));
                   shared->send(result_text(context, outcome->response));
                 });
}

void converse(const CommandCall& call, CommandReply reply) {
  core::ServiceRequest request;
  request.domain = "conversation";
  request.service = "process";
  std::string text;
  std::optional<std::string> language, conversation_id, agent_id;
  MessageReader in(call.message);
  in.required("text", text);
  in.optional("language", language);
  in.optional("conversation_id", conversation_id);
  in.optional("agent_id", agent_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  request.data["text"] = text;
  for (const auto& [key, value] : {std::pair("language", &language), std::pair("conversation_id", &conversation_id)}) {
    if (*value) request.data[key] = **value;
  }
  request.return_response = true;
  request.context = call.context();
  auto shared = std::make_shared<CommandReply>(std::move(reply));
  call.home.call(std::move(request), [shared, home = call.home](const base::Result<core::CallOutcome>& outcome) {
    if (!outcome) return shared->send(std::unexpected(failure(outcome.error(), home.on_bus_thread())));
    shared->send(base::to_json(outcome->response));
  });
}

}  // namespace

constexpr Command kServiceCommandRows[] = {
    {"get_services", Access::user, get_services, Durable::no},
    {"call_service", Access::call, call_service, Durable::registry},
    {"conversation/process", Access::call, converse, Durable::registry},
};
constexpr Commands kServiceCommands = kServiceCommandRows;

}  // namespace hearth::api
