// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "api/gateway/piece_answer.h"
#include "api/history/logbook/logbook_query.h"
#include "api/history/span.h"
#include "api/parts.h"
#include "api/rows.h"
#include "core/values/entity_filter.h"
#include "core/values/entity_id.h"
#include "http/messages/url_text.h"

namespace hearth::api {
namespace {

constexpr int kMaxDays = 3'660;

base::Result<LogbookOptions> read_logbook_options(const Call& call) {
  const http::Target& target = call.request.target;
  LogbookOptions options;
  const auto span = time_span(call, 2);
  if (!span) return std::unexpected(span.error());
  options.span = *span;
  if (const auto text = target.query("period")) {
    int days = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), days);
    if (error != std::errc() || end != text->data() + text->size() || days < 1 || days > kMaxDays)
      return base::fail(base::ErrorCode::invalid, "Invalid period: expected a number of days from 1 to 3660");
    if (!target.has_query("end_time")) options.span.end = options.span.start + std::chrono::days(days);
  }
  if (const auto context = target.query("context_id"); context && !context->empty()) options.context_id = *context;
  for (std::string_view rest = target.query("entity").value_or(""); !rest.empty();) {
    const auto id = core::EntityId::parse(http::take_until(rest, ','));
    if (!id) return base::fail(base::ErrorCode::invalid, "Invalid entity");
    options.entity_ids.emplace_back(id->str());
  }
  if (auto few = core::bound_list(options.entity_ids, "entity", call.home.limits()); !few)
    return std::unexpected(few.error());
  return options;
}

// Fails with invalid.
void get_logbook(const Call& call, http::Responder responder) {
  auto options = read_logbook_options(call);
  if (!options) return responder.send(http::Response::error(options.error()));
  options->span.end = std::min(options->span.end, call.home.clock().now());
  if (options->span.end < options->span.start) return responder.send(http::Response::json("[]"));
  const bool named = !options->entity_ids.empty();
  call.home.keep_readable(options->entity_ids);
  if (named && options->entity_ids.empty()) return responder.send(http::Response::json("[]"));
  options->readable = readable_in_logbook(call.home, call.caller->user->id);
  const std::size_t weight = weight_of(options->entity_ids);
  const auto query = std::make_shared<LogbookQuery>(std::move(*options), LogbookTimes::iso);
  answer_in_pieces(call.home, call.parts.history, std::move(responder), weight,
                   [query](recorder::HistoryReader& reader, std::string& out, std::size_t bytes) {
                     return query->produce(reader, out, bytes);
                   });
}

constexpr Answer kLogbook[] = {{200, "What happened, in order, and who or what caused it.", "Logbook"}};
constexpr Parameter kLogbookQuery[] = {
    {"entity", "Only these entities, separated by commas; all if it is empty.",
     R"({"anyOf": [{"$ref": "#/components/schemas/EntityIds"}, {"type": "string", "maxLength": 0}]})"},
    {"end_time", "By default a day after the start.", R"({"type": "string", "format": "date-time"})"},
    {"period", "Instead of end_time: so many days.", R"({"type": "integer", "minimum": 1, "maximum": 3660})"},
    {"context_id", "Only what has this context, or descends from it.", R"({"$ref": "#/components/schemas/Line"})"}};

}  // namespace

constexpr Endpoint kLogbookEndpointRows[] = {
    {http::Verb::get, "/api/logbook", Access::history, get_logbook, Durable::no, "What happened in the last day",
     kLogbook, kLogbookQuery},
    {http::Verb::get, "/api/logbook/{start}", Access::history, get_logbook, Durable::no, "What happened since a time",
     kLogbook, kLogbookQuery},
};
constexpr Endpoints kLogbookEndpoints = kLogbookEndpointRows;

}  // namespace hearth::api
