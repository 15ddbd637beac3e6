// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "api/gateway/piece_answer.h"
#include "api/history/earlier_changes.h"
#include "api/history/span.h"
#include "api/parts.h"
#include "api/rows.h"
#include "core/values/entity_filter.h"
#include "core/values/entity_id.h"
#include "http/messages/url_text.h"

namespace hearth::api {
namespace {

base::Result<std::vector<std::string>> entity_ids(const http::Target& target, const core::Limits& limits) {
  const auto filter = target.query("filter_entity_id");
  if (!filter || filter->empty()) return base::fail(base::ErrorCode::invalid, "filter_entity_id is missing");
  std::vector<std::string> ids;
  for (std::string_view rest = *filter; !rest.empty();) {
    const auto id = core::EntityId::parse(http::take_until(rest, ','));
    if (!id) return base::fail(base::ErrorCode::invalid, "Invalid filter_entity_id");
    ids.emplace_back(id->str());
  }
  if (auto few = core::bound_list(ids, "filter_entity_id", limits); !few) return std::unexpected(few.error());
  return ids;
}

base::Result<HistoryOptions> read_options(const Call& call) {
  const http::Target& target = call.request.target;
  HistoryOptions options;
  const auto span = time_span(call, 3);
  if (!span) return std::unexpected(span.error());
  options.span = *span;
  auto ids = entity_ids(target, call.home.limits());
  if (!ids) return std::unexpected(std::move(ids.error()));
  options.entity_ids = std::move(*ids);
  options.initial = !target.has_query("skip_initial_state");
  options.significant = target.query("significant_changes_only") != "0";
  options.minimal = target.has_query("minimal_response");
  options.attributes = !target.has_query("no_attributes");
  return options;
}

// Fails with invalid.
void get_history(const Call& call, http::Responder responder) {
  auto options = read_options(call);
  if (!options) return responder.send(http::Response::error(options.error()));
  if (options->span.start > call.home.clock().now() || options->span.end < options->span.start)
    return responder.send(http::Response::json("[]"));
  call.home.keep_readable(options->entity_ids);
  const auto shared = std::make_shared<http::Responder>(std::move(responder));
  with_earlier_changes(call.home, call.parts.history, std::move(*options),
                       [home = call.home, history = call.parts.history, shared](HistoryOptions whole) {
                         const std::size_t weight = weight_of(whole.entity_ids);
                         const auto query =
                             std::make_shared<HistoryQuery>(std::move(whole), HistoryQuery::Format::states);
                         answer_in_pieces(home, history, std::move(*shared), weight,
                                          [query](recorder::HistoryReader& reader, std::string& out,
                                                  std::size_t bytes) { return query->produce(reader, out, bytes); });
                       });
}

constexpr Answer kHistory[] = {{200, "For each entity that has any its states, oldest first.", "History"}};
constexpr Parameter kHistoryQuery[] = {
    {"filter_entity_id", "The entities, separated by commas.", R"({"$ref": "#/components/schemas/EntityIds"})", false,
     true},
    {"end_time", "By default a day after the start.", R"({"type": "string", "format": "date-time"})"},
    {"minimal_response", "By its presence: only state and last_changed between an entity's first state and its last.",
     R"({"$ref": "#/components/schemas/Line"})"},
    {"no_attributes", "By its presence: attributes are empty.", R"({"$ref": "#/components/schemas/Line"})"},
    {"skip_initial_state", "By its presence: without the state at the start.",
     R"({"$ref": "#/components/schemas/Line"})"},
    {"significant_changes_only", "Without changes of attributes alone, except those of a few domains; 0: with them.",
     R"({"allOf": [{"$ref": "#/components/schemas/Line"}], "default": "1"})"}};

}  // namespace

constexpr Endpoint kHistoryEndpointRows[] = {
    {http::Verb::get, "/api/history/period", Access::history, get_history, Durable::no, "The last day of some entities",
     kHistory, kHistoryQuery},
    {http::Verb::get, "/api/history/period/{start}", Access::history, get_history, Durable::no, "States since a time",
     kHistory, kHistoryQuery},
};
constexpr Endpoints kHistoryEndpoints = kHistoryEndpointRows;

}  // namespace hearth::api
