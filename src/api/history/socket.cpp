// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/connection.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/piece_reply.h"
#include "api/history/earlier_changes.h"
#include "api/history/span_fields.h"
#include "api/history/stream.h"
#include "api/parts.h"
#include "api/rows.h"
#include "core/values/entity_filter.h"
#include "core/values/entity_id.h"

namespace hearth::api {
namespace {

std::expected<HistoryOptions, CommandError> read_options(const CommandCall& call, bool significant) {
  HistoryOptions options;
  options.significant = significant;
  SpanFields span;
  std::optional<std::vector<std::string>> ids;
  MessageReader in(call.message);
  span.read(in);
  in.optional("entity_ids", ids);
  in.optional("include_start_time_state", options.initial);
  in.optional("significant_changes_only", options.significant);
  in.optional("minimal_response", options.minimal);
  bool no_attributes = false;
  in.optional("no_attributes", no_attributes);
  if (auto read = in.finish(); !read) return std::unexpected(CommandError(read.error()));
  const auto parsed = span.parse(call.home.clock().now());
  if (!parsed) return std::unexpected(parsed.error());
  options.span = *parsed;
  options.attributes = !no_attributes;
  if (!ids)
    return std::unexpected(CommandError(command_error::kInvalidFormat, "entity_ids: missing; expected a list."));
  for (const std::string& text : *ids) {
    const auto id = core::EntityId::parse(text);
    if (!id) return std::unexpected(CommandError("invalid_entity_ids", "Invalid entity_ids"));
    options.entity_ids.emplace_back(id->str());
  }
  if (auto few = core::bound_list(options.entity_ids, "entity_ids", call.home.limits()); !few)
    return std::unexpected(few.error());
  call.home.keep_readable(options.entity_ids);
  return options;
}

void history_during_period(const CommandCall& call, CommandReply reply) {
  auto options = read_options(call, true);
  if (!options) return reply.send(std::unexpected(options.error()));
  options->span.end = std::min(options->span.end, call.home.clock().now());
  if (options->span.end < options->span.start) return reply.send("{}");
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  with_earlier_changes(call.home, call.parts.history, std::move(*options),
                       [home = call.home, history = call.parts.history, shared](HistoryOptions whole) {
                         const std::size_t weight = weight_of(whole.entity_ids);
                         const auto query =
                             std::make_shared<HistoryQuery>(std::move(whole), HistoryQuery::Format::compressed);
                         reply_with_pieces(home, history, std::move(*shared), weight,
                                           [query](recorder::HistoryReader& reader, std::string& out,
                                                   std::size_t bytes) { return query->produce(reader, out, bytes); });
                       });
}

void subscribe_history(const CommandCall& call, CommandReply reply) {
  auto options = read_options(call, true);
  if (!options) return reply.send(std::unexpected(options.error()));
  const std::size_t weight = weight_of(options->entity_ids);
  if (auto room = call.connection.may_subscribe(weight); !room) return reply.send(std::unexpected(room.error()));
  if (!call.parts.history) {
    return reply.send(std::unexpected(CommandError(command_error::kHomeAssistantError, "This hub keeps no history.")));
  }
  auto subscription = stream_history(call, *options);
  if (!subscription) return reply.send(std::unexpected(subscription.error()));
  reply.send("null");
  call.connection.subscribe(call.id, std::move(*subscription), weight);
}

}  // namespace

constexpr Command kHistoryCommandRows[] = {
    {"history/history_during_period", Access::history, history_during_period, Durable::no},
    {"history/stream", Access::history, subscribe_history, Durable::no},
};
constexpr Commands kHistoryCommands = kHistoryCommandRows;

}  // namespace hearth::api
