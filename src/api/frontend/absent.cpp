// SPDX-License-Identifier: Apache-2.0
// What pages of this family ask every hub for and this one has none of, so that they show nothing instead of an error:
// voice assistants and features on trial.
#include "api/commands.h"
#include "api/gateway/connection.h"
#include "api/gateway/message_reader.h"

namespace hearth::api {

CommandResult absent_commands::pipelines(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return R"({"pipelines":[],"preferred_pipeline":null})";
}

CommandResult absent_commands::agents(const CommandCall& call) {
  std::string language, country;
  MessageReader in(call.message);
  in.optional("language", language);
  in.optional("country", country);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return R"({"agents":[]})";
}

CommandResult absent_commands::exposed_entities(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return R"({"exposed_entities":{}})";
}

CommandResult absent_commands::trial_features(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return R"({"features":[]})";
}

void absent_commands::subscribe_trial_feature(const CommandCall& call, CommandReply reply) {
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

}  // namespace hearth::api
