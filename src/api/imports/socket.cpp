// SPDX-License-Identifier: Apache-2.0
// hearth/import/…: for administrators.
#include "api/gateway/bus_feed.h"
#include "api/gateway/message_reader.h"
#include "api/imports/import_order.h"
#include "api/imports/imports.h"
#include "api/parts.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

CommandError imports_nothing() {
  return {command_error::kHomeAssistantError, "This hub imports nothing."};
}

// The look goes on as long as the connection wants it.
class LookSubscription final : public LiveSubscription {
 public:
  explicit LookSubscription(std::shared_ptr<void> look) : look_(std::move(look)) {}

 private:
  const std::shared_ptr<void> look_;
};

// Answers a command of no fields with what `ask` tells.
template <class Ask>
void answer_import(const CommandCall& call, CommandReply reply, const Ask& ask) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (!call.parts.home_imports) return reply.send(std::unexpected(imports_nothing()));
  ask(*call.parts.home_imports, std::make_shared<CommandReply>(std::move(reply)));
}

Imports::Finished confirmed(std::shared_ptr<CommandReply> reply) {
  return [reply = std::move(reply)](const base::Result<void>& done) {
    if (!done) return reply->send(std::unexpected(CommandError(done.error())));
    reply->send("null");
  };
}

void look_at_import(const CommandCall& call, CommandReply reply) {
  Imports::Order order;
  MessageReader in(call.message);
  in.required("source", order.source);
  in.optional("passphrase", order.passphrase);
  auto read = in.finish();
  if (read) read = check_import_options("off", order);
  if (read) read = call.connection.may_subscribe();
  if (!read) return reply.send(std::unexpected(read.error()));
  if (!call.parts.home_imports) return reply.send(std::unexpected(imports_nothing()));
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  auto begun =
      call.parts.home_imports->look(std::move(order), [shared, id = call.id](const base::Result<json::object>& report) {
        const auto end = [id](Connection& connection) { connection.unsubscribe(id); };
        if (!report) return shared->send(std::unexpected(CommandError(report.error())), end);
        shared->send(base::to_json(*report), end);
      });
  if (!begun) return shared->send(std::unexpected(CommandError(begun.error())));
  call.connection.subscribe(call.id, std::make_unique<LookSubscription>(std::move(*begun)));
}

void start_import(const CommandCall& call, CommandReply reply) {
  Imports::Order order;
  std::string automations = "as-they-were";
  MessageReader in(call.message);
  in.required("source", order.source);
  read_import_options(in, order, automations);
  const std::size_t bytes = base::to_json(call.message).size();
  auto read = in.finish();
  if (read) read = check_import_options(automations, order);
  if (read) read = call.connection.may_subscribe(bytes);
  if (!read) return reply.send(std::unexpected(read.error()));
  if (!call.parts.home_imports) return reply.send(std::unexpected(imports_nothing()));
  BusFeed::begin(call, std::move(reply), bytes,
                 [imports = call.parts.home_imports,
                  order = std::move(order)](const BusFeed::Put& put) -> base::Result<std::shared_ptr<void>> {
                   auto following = imports->follow([put](const json::object& event) { put(base::to_json(event)); });
                   if (auto begun = imports->start(order); !begun) return std::unexpected(begun.error());
                   return following;
                 });
}

void cancel_import(const CommandCall& call, CommandReply reply) {
  answer_import(call, std::move(reply),
                [](Imports& imports, std::shared_ptr<CommandReply> to) { imports.cancel(confirmed(std::move(to))); });
}

void report_import(const CommandCall& call, CommandReply reply) {
  answer_import(call, std::move(reply), [](Imports& imports, const std::shared_ptr<CommandReply>& to) {
    imports.report([to](const base::Result<json::object>& report) {
      if (!report) return to->send(std::unexpected(CommandError(report.error())));
      to->send(base::to_json(*report));
    });
  });
}

void mark_import_done(const CommandCall& call, CommandReply reply) {
  // `id` is the message's own number, so the list's ids have another key.
  std::string item;
  MessageReader in(call.message);
  in.required("item", item);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (!call.parts.home_imports) return reply.send(std::unexpected(imports_nothing()));
  call.parts.home_imports->mark_done(std::move(item), confirmed(std::make_shared<CommandReply>(std::move(reply))));
}

void restart_import(const CommandCall& call, CommandReply reply) {
  answer_import(call, std::move(reply),
                [](Imports& imports, const std::shared_ptr<CommandReply>& to) { confirmed(to)(imports.restart()); });
}

}  // namespace

constexpr Command kImportCommandRows[] = {
    {"hearth/import/look", Access::admin, look_at_import, Durable::no},
    {"hearth/import/start", Access::admin, start_import, Durable::no},
    {"hearth/import/cancel", Access::admin, cancel_import, Durable::no},
    {"hearth/import/report", Access::admin, report_import, Durable::no},
    {"hearth/import/done", Access::admin, mark_import_done, Durable::no},
    {"hearth/import/restart", Access::admin, restart_import, Durable::no},
};
constexpr Commands kImportCommands = kImportCommandRows;

}  // namespace hearth::api
