// SPDX-License-Identifier: Apache-2.0
// automation/suggestions, automation/suggestions/dismiss.
#include <fmt/format.h>

#include "api/automations/suggestions.h"
#include "api/gateway/bus_feed.h"
#include "api/gateway/message_reader.h"
#include "api/parts.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

constexpr double kStep = 0.05;  // of progress that is told
constexpr std::size_t kMaxId = 600;

// Tells of progress and of the end, and ends the search when the result is destroyed.
base::Result<std::shared_ptr<void>> begin_search(Suggestions& suggestions, const BusFeed::Put& put) {
  const auto search = std::make_shared<Suggestions::Search>();
  auto begun = suggestions.find(
      search,
      [put, told = 0.0](double share) mutable {
        if (share < told + kStep) return;
        told = share;
        put(fmt::format(R"({{"progress":{:.2f}}})", share));
      },
      [put](const base::Result<json::object>& answer) {
        if (answer) return put(base::to_json(*answer));
        put(base::to_json(json::object{{"error", to_json_object(CommandError(answer.error()))}}));
      });
  if (!begun) return std::unexpected(std::move(begun.error()));
  return std::shared_ptr<void>(search.get(), [search](void*) { search->over = true; });
}

void find_suggestions(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  Suggestions* const suggestions = call.parts.suggestions;
  if (!suggestions)
    return reply.send(std::unexpected(CommandError(command_error::kNotFound, "This hub has no history.")));
  if (auto room = call.connection.may_subscribe(); !room) return reply.send(std::unexpected(room.error()));
  BusFeed::begin(call, std::move(reply), 0,
                 [suggestions](const BusFeed::Put& put) { return begin_search(*suggestions, put); });
}

CommandResult dismiss_suggestion(const CommandCall& call) {
  std::string id;
  bool dismissed = true;
  MessageReader in(call.message);
  in.required("suggestion_id", id);
  in.optional("dismissed", dismissed);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (id.empty() || id.size() > kMaxId) {
    return std::unexpected(CommandError(command_error::kInvalidFormat,
                                        fmt::format("suggestion_id: expected a text of 1 to {} bytes", kMaxId)));
  }
  core::Registry& registry = call.home.administered().registry;
  const std::string collection(kDismissedSuggestions);
  if (dismissed == (registry.snapshot()->find_item(collection, id) != nullptr)) return "null";
  base::Result<void> done;
  if (dismissed) {
    if (auto made = registry.create_item(collection, id, {}, call.context()); !made)
      done = std::unexpected(made.error());
  } else {
    done = registry.delete_items(collection, {&id, 1}, call.context());
  }
  if (!done) return std::unexpected(done.error());
  return "null";
}

}  // namespace

constexpr Command kSuggestionCommandRows[] = {
    {"automation/suggestions", Access::admin, find_suggestions, Durable::no},
    {"automation/suggestions/dismiss", Access::admin, dismiss_suggestion, Durable::registry},
};
constexpr Commands kSuggestionCommands = kSuggestionCommandRows;

}  // namespace hearth::api
