// SPDX-License-Identifier: Apache-2.0
#include "automation/runs/run_store.h"

#include <algorithm>

#include "automation/values/stored_value.h"
#include "base/json/json_fields.h"

namespace hearth::automation {
namespace {

json::object to_stored(const Frame& frame, RunEntries& entries) {
  json::object stored{{"block", frame.block->path}, {"next", frame.next}};
  if (!frame.variables.empty()) stored["variables"] = entries.stored(frame.variables);
  if (frame.repeat) {
    stored["index"] = frame.loop.index;
    stored["count"] = frame.loop.count;
    if (frame.repeat->items) stored["items"] = entries.stored(frame.loop.items);
  }
  if (frame.ahead)
    stored["ahead"] = frame.ahead->fired ? json::array{entries.stored(*frame.ahead->fired)} : json::array();
  return stored;
}

json::object to_stored(const Strand& strand, RunEntries& entries) {
  json::array stack;
  for (const Frame& frame : strand.stack) stack.push_back(to_stored(frame, entries));
  json::object all{{"number", strand.number}, {"parent", strand.parent}, {"children", strand.children}};
  all["stack"] = std::move(stack);
  if (strand.ending) {
    const RunResult& result = strand.ending->result;
    all["ending"] = json::object{{"failed", result.end == RunEnd::failed},
                                 {"text", result.text},
                                 {"response", result.response},
                                 {"asked", result.asked},
                                 {"may_go_on", strand.ending->may_go_on}};
  }
  if (!strand.wait) return all;
  json::object wait{{"number", strand.wait->number}};
  if (strand.wait->acts) wait["acts"] = true;
  if (strand.wait->deadline) wait["deadline"] = strand.wait->deadline->time_since_epoch().count();
  all["wait"] = std::move(wait);
  return all;
}

std::optional<Frame> frame_from_stored(const Item& item, const json::value& stored, RunEntries& entries) {
  const json::object* const object = stored.if_object();
  const FoundBlock found = object ? find_block(item.actions, base::text_at(*object, "block")) : FoundBlock();
  if (!found.block) return {};
  Frame frame{found.block};
  frame.next = static_cast<std::size_t>(base::number_at(*object, "next"));
  if (frame.next > found.block->steps.size()) return {};
  frame.variables = entries.variables(base::value_at(*object, "variables"));
  frame.repeat = found.repeat;
  frame.loop.index = base::number_at(*object, "index");
  frame.loop.count = base::number_at(*object, "count");
  if (found.repeat && found.repeat->items) {
    frame.loop.items = entries.value(base::value_at(*object, "items"));
    if (!frame.loop.items.get<templates::List>() && !frame.loop.items.get<templates::Tuple>()) return {};
  }
  if (frame.repeat) frame.set_round();
  if (const auto* const ahead = base::value_at(*object, "ahead").if_array()) {
    frame.ahead = std::make_shared<Ahead>();
    if (!ahead->empty()) frame.ahead->fired = entries.value(ahead->front());
  }
  return frame;
}

std::optional<Strand> strand_from_stored(const Item& item, const json::object& stored, RunEntries& entries) {
  Strand strand;
  strand.number = static_cast<int>(base::number_at(stored, "number"));
  strand.parent = static_cast<int>(base::number_at(stored, "parent"));
  strand.children = static_cast<int>(base::number_at(stored, "children"));
  if (const auto* const ending = base::value_at(stored, "ending").if_object()) {
    strand.ending = {
        {base::flag_at(*ending, "failed") ? RunEnd::failed : RunEnd::stopped, base::text_at(*ending, "text"),
         base::value_at(*ending, "response"), base::flag_at(*ending, "asked")},
        base::flag_at(*ending, "may_go_on")};
  }
  const auto* const stack = base::value_at(stored, "stack").if_array();
  if (!stack) return {};
  for (const json::value& each : *stack) {
    auto frame = frame_from_stored(item, each, entries);
    if (!frame) return {};
    strand.stack.push_back(std::move(*frame));
  }
  const auto* const wait = base::value_at(stored, "wait").if_object();
  if (!wait) return strand;
  if (strand.stack.empty() || strand.stack.back().next == 0) return {};
  strand.wait.emplace();
  strand.wait->number = static_cast<std::uint64_t>(base::number_at(*wait, "number"));
  strand.wait->acts = base::value_at(*wait, "acts").is_bool();
  if (wait->contains("deadline"))
    strand.wait->deadline = base::Timestamp(base::Duration(base::number_at(*wait, "deadline")));
  return strand;
}

}  // namespace

json::object to_stored(const RunState& state, RunEntries& entries) {
  json::array strands;
  for (const auto& [number, strand] : state.strands) strands.push_back(to_stored(strand, entries));
  json::object stored{{"context", to_stored(state.context)}, {"variables", entries.stored(state.variables)}};
  stored["strands"] = std::move(strands);
  if (state.spoken) stored["spoken"] = *state.spoken;
  return stored;
}

std::optional<RunState> run_from_stored(const Item& item, const json::object& stored, RunEntries& entries) {
  RunState state;
  state.context = context_from_stored(base::value_at(stored, "context"));
  state.variables = entries.variables(base::value_at(stored, "variables"));
  if (base::value_at(stored, "spoken").is_string()) state.spoken = base::text_at(stored, "spoken");
  const auto* const strands = base::value_at(stored, "strands").if_array();
  if (!strands) return {};
  for (const json::value& each : *strands) {
    auto strand = each.is_object() ? strand_from_stored(item, each.get_object(), entries) : std::nullopt;
    if (!strand) return {};
    state.last_strand = std::max(state.last_strand, strand->number);
    if (strand->wait) state.last_wait = std::max(state.last_wait, strand->wait->number);
    state.strands.emplace(strand->number, std::move(*strand));
  }
  return state;
}

}  // namespace hearth::automation
