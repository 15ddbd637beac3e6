// SPDX-License-Identifier: Apache-2.0
// Answers to questions that pages of this family ask every hub and this one has nothing for, so that they show no
// error: voice assistants and features on trial.
#include "api/gateway/connection.h"
#include "api/gateway/message_reader.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

CommandResult list_agents(const CommandCall& call) {
  std::string language, country;
  MessageReader in(call.message);
  in.optional("language", language);
  in.optional("country", country);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return R"({"agents":[]})";
}

void subscribe_trial_feature(const CommandCall& call, CommandReply reply) {
  std::string domain, feature;
  MessageReader in(call.message);
  in.required("domain", domain);
  in.required("preview_feature", feature);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (auto room = call.connection.may_subscribe(); !room) return reply.send(std::unexpected(room.error()));
  reply.send("null");
  call.connection.send_event(
      call.id, base::to_json(json::object{
                   {"domain", domain}, {"preview_feature", feature}, {"enabled", false}, {"is_built_in", true}}));
  call.connection.subscribe(call.id, std::make_unique<LiveSubscription>());
}

}  // namespace

constexpr Command kAbsentCommandRows[] = {
    {"assist_pipeline/pipeline/list", Access::user, R"({"pipelines":[],"preferred_pipeline":null})", Durable::no},
    {"conversation/agent/list", Access::user, list_agents, Durable::no},
    {"homeassistant/expose_entity/list", Access::user, R"({"exposed_entities":{}})", Durable::no},
    {"labs/list", Access::user, R"({"features":[]})", Durable::no},
    {"labs/subscribe", Access::user, subscribe_trial_feature, Durable::no},
};
constexpr Commands kAbsentCommands = kAbsentCommandRows;

}  // namespace hearth::api
