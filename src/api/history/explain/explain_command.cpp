// SPDX-License-Identifier: Apache-2.0
// automation/explain: the accounts know the names of users, history the causes, the traces the steps.
#include "api/accounts/account_reply.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/piece_answer.h"
#include "api/history/explain/explained_runs.h"
#include "api/history/explain/explanation.h"
#include "api/parts.h"
#include "api/rows.h"
#include "base/text/timestamp.h"
#include "core/values/entity_id.h"

namespace hearth::api {
namespace {

// A question on its way through the threads that know parts of the answer.
struct Question {
  core::View home;
  recorder::History* history;
  Automations* automations;  // null: the hub has none
  std::string entity_id;
  base::Timestamp at;
  CommandReply reply;
  Explanation::Names names = {};
};

void add_runs(const std::shared_ptr<Question>& question, const std::shared_ptr<json::object>& explained) {
  const auto send = [question](const json::object& answer) { question->reply.send(base::to_json(answer)); };
  if (!question->automations) return send(*explained);
  const auto posted = question->home.post(core::EventBus::kSmallTask, [question, explained, send] {
    explain_runs(*question->automations, std::move(*explained), question->names, send);
  });
  if (!posted) question->reply.send(std::unexpected(posted.error()));
}

void add_causes(const std::shared_ptr<Question>& question) {
  const auto explanation =
      std::make_shared<Explanation>(question->entity_id, question->at, question->home.registry(), question->names);
  const auto explained = std::make_shared<json::object>();
  collect_pieces(
      question->home, question->history, 0, question->entity_id.size(),
      [explanation, explained](recorder::HistoryReader& reader, std::string&, std::size_t) -> base::Result<bool> {
        auto chain = explanation->explain(reader);
        if (!chain) return std::unexpected(std::move(chain.error()));
        *explained = std::move(*chain);
        return false;
      },
      [question, explained](base::Result<std::string> read) {
        if (!read) return question->reply.send(std::unexpected(read.error()));
        add_runs(question, explained);
      });
}

void explain_automation(const CommandCall& call, CommandReply reply) {
  std::string entity;
  std::optional<std::string> when;
  MessageReader in(call.message);
  in.required("entity_id", entity);
  in.optional("at", when);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  base::Timestamp at = call.home.clock().now();
  if (when) {
    const auto parsed = base::parse_timestamp(*when);
    if (!parsed)
      return reply.send(std::unexpected(CommandError(command_error::kInvalidFormat, "at: expected a time.")));
    at = std::min(at, *parsed);
  }
  const auto id = core::EntityId::parse(entity);
  if (!id || !call.home.reads(id->str()))
    return reply.send(std::unexpected(CommandError(command_error::kNotFound, "There is no such entity.")));
  const auto question = std::make_shared<Question>(call.home, call.parts.history, call.parts.automations,
                                                   std::string(id->str()), at, std::move(reply));
  const bool posted = call.gate.accounts.post([question](auth::AccountStore& store) -> auth::Accounts::Reply {
    const auto users = store.users();
    if (!users) return {[question, error = account_failure(users.error())] { question->reply.send(error); }};
    for (const auto& user : *users)
      question->names.emplace(user.id, user.display_name.empty() ? user.name : user.display_name);
    return {[question] { add_causes(question); }};
  });
  if (!posted) question->reply.send(accounts_busy());
}

}  // namespace

constexpr Command kExplainCommandRows[] = {
    {"automation/explain", Access::admin, explain_automation, Durable::no},
};
constexpr Commands kExplainCommands = kExplainCommandRows;

}  // namespace hearth::api
