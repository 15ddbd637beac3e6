// SPDX-License-Identifier: Apache-2.0
#include "api/commands.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/piece_reply.h"
#include "api/history/logbook_query.h"
#include "api/history/span_fields.h"
#include "api/records.h"
#include "core/entity_filter.h"
#include "core/entity_id.h"

namespace hearth::api {
namespace {

// The entities of the devices that are named.
void add_device_entities(const core::ReadableRegistry& registry, const std::vector<std::string>& devices,
                         std::vector<std::string>& entity_ids) {
  for (const std::string& device : devices) {
    for (std::string& id : registry.entities_of_device(device)) entity_ids.push_back(std::move(id));
  }
}

}  // namespace

void logbook_commands::get_events(const CommandCall& call, CommandReply reply) {
  LogbookOptions options;
  SpanFields span;
  std::optional<std::vector<std::string>> ids, devices;
  MessageReader in(call.message);
  span.read(in);
  in.optional("entity_ids", ids);
  in.optional("device_ids", devices);
  in.optional("context_id", options.context_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  const auto parsed = span.parse(call.home.clock().now());
  if (!parsed) return reply.send(std::unexpected(parsed.error()));
  options.span = *parsed;
  options.span.end = std::min(options.span.end, call.home.clock().now());
  for (const std::string& text : ids.value_or(std::vector<std::string>())) {
    const auto id = core::EntityId::parse(text);
    if (!id) return reply.send(std::unexpected(CommandError("invalid_entity_ids", "Invalid entity_ids")));
    options.entity_ids.emplace_back(id->str());
  }
  if (devices) {
    if (auto few = core::bound_list(*devices, "device_ids", call.home.limits()); !few)
      return reply.send(std::unexpected(few.error()));
    add_device_entities(call.home.registry(), *devices, options.entity_ids);
  }
  if (auto few = core::bound_list(options.entity_ids, "entity_ids", call.home.limits()); !few)
    return reply.send(std::unexpected(few.error()));
  call.home.keep_readable(options.entity_ids);
  const bool nobody = (ids || devices) && options.entity_ids.empty();
  if (nobody || options.span.end < options.span.start) return reply.send("[]");

  options.readable = readable_in_logbook(call.home, call.caller->user->id);
  const std::size_t weight = weight_of(options.entity_ids);
  const auto query = std::make_shared<LogbookQuery>(std::move(options), LogbookQuery::Times::seconds);
  reply_with_pieces(call, std::move(reply), weight,
                    [query](recorder::HistoryReader& reader, std::string& out, std::size_t bytes) {
                      return query->produce(reader, out, bytes);
                    });
}

}  // namespace hearth::api
