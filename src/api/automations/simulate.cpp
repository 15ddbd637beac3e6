// SPDX-License-Identifier: Apache-2.0
// automation/simulate.
#include "api/automations/ask.h"
#include "api/automations/simulations.h"
#include "api/gateway/bus_feed.h"
#include "api/gateway/message_reader.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

using Question = Simulations::Question;

std::unexpected<CommandError> wrong_question(std::string_view why) {
  return std::unexpected(CommandError(command_error::kInvalidFormat, std::string(why)));
}

std::expected<Question, CommandError> read_question(const CommandCall& call, bool& progress) {
  Question question;
  std::optional<std::string> entity_id, from, to;
  MessageReader in(call.message);
  in.optional("entity_id", entity_id);
  in.optional("from", from);
  in.optional("to", to);
  in.optional("progress", progress);
  if (in.has("config")) {
    const json::value& config = call.message.at("config");
    if (!config.is_object()) return wrong_question("config: expected an object, the automation.");
    question.config = config.get_object();
  }
  if (in.has("scenario")) question.scenario = call.message.at("scenario");
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (question.scenario) {
    if (from || to || entity_id) return wrong_question("scenario: expected without from, to and entity_id.");
    if (!question.scenario->is_object()) return wrong_question("scenario: expected an object.");
    if (question.config && question.scenario->get_object().contains("automations"))
      return wrong_question("config: expected without automations of the scenario.");
    return question;
  }
  if (!from || !to) return wrong_question("Expected from and to, the time, or a scenario.");
  question.from = *from;
  question.to = *to;
  question.entity_id = entity_id.value_or("");
  return question;
}

json::object shown(const base::Result<json::object>& answer) {
  if (answer) return {{"result", *answer}};
  return {{"error", to_json_object(CommandError(answer.error()))}};
}

void simulate_automation(const CommandCall& call, CommandReply reply) {
  bool progress = false;
  auto question = read_question(call, progress);
  if (!question) return reply.send(std::unexpected(question.error()));
  Simulations* const simulations = call.parts.simulations;
  if (!simulations) return reply.send(no_automations());
  if (progress) {
    const std::size_t bytes = base::to_json(call.message).size();
    if (auto room = call.connection.may_subscribe(bytes); !room) return reply.send(std::unexpected(room.error()));
    return BusFeed::begin(call, std::move(reply), bytes,
                          [simulations, question = std::move(*question)](const BusFeed::Put& put) {
                            return simulations->begin(
                                question, [put](double part) { put(base::to_json(json::object{{"progress", part}})); },
                                [put](const base::Result<json::object>& answer) { put(base::to_json(shown(answer))); });
                          });
  }
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  const auto kept = std::make_shared<std::shared_ptr<void>>();  // until it has answered
  auto begun = simulations->begin(*question, nullptr, [shared, kept](const base::Result<json::object>& answer) {
    if (!answer) return shared->send(std::unexpected(answer.error()));
    shared->send(base::to_json(*answer));
  });
  if (!begun) return shared->send(std::unexpected(begun.error()));
  *kept = std::move(*begun);
}

}  // namespace

constexpr Command kSimulateCommandRows[] = {
    {"automation/simulate", Access::admin, simulate_automation, Durable::no},
};
constexpr Commands kSimulateCommands = kSimulateCommandRows;

}  // namespace hearth::api
