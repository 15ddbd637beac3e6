// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/message_reader.h"
#include "api/gateway/piece_reply.h"
#include "api/history/logbook/logbook_query.h"
#include "api/history/logbook/logbook_stream.h"
#include "api/history/span_fields.h"
#include "api/parts.h"
#include "api/rows.h"
#include "core/values/entity_filter.h"
#include "core/values/entity_id.h"

namespace hearth::api {
namespace {

struct LogbookFields {
  LogbookOptions options;
  bool nobody = false;  // entities were named, and the caller may read none of them
};

// The entities of the devices that are named.
void add_device_entities(const core::ReadableRegistry& registry, const std::vector<std::string>& devices,
                         std::vector<std::string>& entity_ids) {
  for (const std::string& device : devices) {
    for (std::string& id : registry.entities_of_device(device)) entity_ids.push_back(std::move(id));
  }
}

std::expected<LogbookFields, CommandError> read_fields(const CommandCall& call) {
  LogbookFields fields;
  LogbookOptions& options = fields.options;
  SpanFields span;
  std::optional<std::vector<std::string>> ids, devices;
  MessageReader in(call.message);
  span.read(in);
  in.optional("entity_ids", ids);
  in.optional("device_ids", devices);
  in.optional("context_id", options.context_id);
  if (auto read = in.finish(); !read) return std::unexpected(CommandError(read.error()));
  const auto parsed = span.parse(call.home.clock().now());
  if (!parsed) return std::unexpected(parsed.error());
  options.span = *parsed;
  for (const std::string& text : ids.value_or(std::vector<std::string>())) {
    const auto id = core::EntityId::parse(text);
    if (!id) return std::unexpected(CommandError("invalid_entity_ids", "Invalid entity_ids"));
    options.entity_ids.emplace_back(id->str());
  }
  if (devices) {
    if (auto few = core::bound_list(*devices, "device_ids", call.home.limits()); !few)
      return std::unexpected(CommandError(few.error()));
    add_device_entities(call.home.registry(), *devices, options.entity_ids);
  }
  if (auto few = core::bound_list(options.entity_ids, "entity_ids", call.home.limits()); !few)
    return std::unexpected(CommandError(few.error()));
  call.home.keep_readable(options.entity_ids);
  fields.nobody = (ids || devices) && options.entity_ids.empty();
  options.readable = readable_in_logbook(call.home, call.caller->user->id);
  return fields;
}

void get_logbook_events(const CommandCall& call, CommandReply reply) {
  auto fields = read_fields(call);
  if (!fields) return reply.send(std::unexpected(fields.error()));
  LogbookOptions& options = fields->options;
  options.span.end = std::min(options.span.end, call.home.clock().now());
  if (fields->nobody || options.span.end < options.span.start) return reply.send("[]");

  const std::size_t weight = weight_of(options.entity_ids);
  const auto query = std::make_shared<LogbookQuery>(std::move(options), LogbookTimes::seconds);
  reply_with_pieces(call, std::move(reply), weight,
                    [query](recorder::HistoryReader& reader, std::string& out, std::size_t bytes) {
                      return query->produce(reader, out, bytes);
                    });
}

void subscribe_logbook(const CommandCall& call, CommandReply reply) {
  auto fields = read_fields(call);
  if (!fields) return reply.send(std::unexpected(fields.error()));
  LogbookOptions& options = fields->options;
  const base::Timestamp now = call.home.clock().now();
  if (options.span.start > now)
    return reply.send(std::unexpected(CommandError("invalid_start_time", "Invalid start_time: it is yet to come")));
  if (options.span.end < options.span.start) {
    return reply.send(
        std::unexpected(CommandError("invalid_end_time", "Invalid end_time: it has to be after start_time")));
  }
  const std::size_t weight = weight_of(options.entity_ids) + kLogbookStreamBytes;
  if (auto room = call.connection.may_subscribe(weight); !room) return reply.send(std::unexpected(room.error()));
  if (!call.parts.history) {
    return reply.send(std::unexpected(CommandError(command_error::kHomeAssistantError, "This hub keeps no history.")));
  }
  if (fields->nobody) {
    reply.send("null");
    call.connection.send_event(call.id, empty_logbook_event({options.span.start, std::min(options.span.end, now)}));
    call.connection.subscribe(call.id, std::make_unique<LiveSubscription>());
    return;
  }
  auto subscription = stream_logbook(call, std::move(options));
  if (!subscription) return reply.send(std::unexpected(subscription.error()));
  reply.send("null");
  call.connection.subscribe(call.id, std::move(*subscription), weight);
}

}  // namespace

constexpr Command kLogbookCommandRows[] = {
    {"logbook/get_events", Access::history, get_logbook_events, Durable::no},
    {"logbook/event_stream", Access::history, subscribe_logbook, Durable::no},
};
constexpr Commands kLogbookCommands = kLogbookCommandRows;

}  // namespace hearth::api
