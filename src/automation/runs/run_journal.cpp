// SPDX-License-Identifier: Apache-2.0
// Runs that survive a restart: how they are written down, and how they go on.
#include <fmt/format.h>

#include <algorithm>

#include "automation/runs/run.h"
#include "automation/values/context_value.h"
#include "automation/values/stored_value.h"
#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/text/timestamp.h"

namespace hearth::automation {
namespace {

using templates::Value;

}  // namespace

void Run::note() {
  if (!home_.journal || !item_->durable) return;
  has_acted_ = false;
  if (entries_.write(stored())) return;
  if (!std::exchange(too_large_, true))
    base::log_warning("automation", "a run of {} has more than {} MiB of variables: it does not survive a restart",
                      item_->alias, core::Journal::kMaxEntryBytes >> 20);
}

json::object Run::stored() {
  json::array strands;
  for (const auto& [number, strand] : strands_) strands.push_back(stored(strand));
  json::object run = description_;
  run["context"] = to_stored(context_);
  run["variables"] = entries_.stored(variables_);
  run["strands"] = std::move(strands);
  if (spoken_) run["spoken"] = *spoken_;
  if (trace_) run["trace"] = entries_.stored(*trace_);
  return run;
}

json::object Run::stored(const Strand& strand) {
  json::array stack;
  for (const Frame& frame : strand.stack) {
    json::object each{{"block", frame.block->path}, {"next", frame.next}};
    if (!frame.variables.empty()) each["variables"] = entries_.stored(frame.variables);
    if (frame.repeat) {
      each["index"] = frame.loop.index;
      each["count"] = frame.loop.count;
      if (frame.repeat->items) each["items"] = entries_.stored(frame.loop.items);
    }
    if (frame.ahead)
      each["ahead"] = frame.ahead->fired ? json::array{entries_.stored(*frame.ahead->fired)} : json::array();
    stack.push_back(std::move(each));
  }
  json::object all{{"number", strand.number}, {"parent", strand.parent}, {"children", strand.children}};
  all["stack"] = std::move(stack);
  if (strand.ending) {
    const Result& result = strand.ending->result;
    all["ending"] = json::object{{"failed", result.end == End::failed},
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

std::unique_ptr<Run> Run::restored(std::shared_ptr<const Item> item, Home& home, const json::object& stored,
                                   Post post) {
  auto run = std::make_unique<Run>(std::move(item), home, context_from_stored(base::value_at(stored, "context")),
                                   templates::Variables(), std::move(post));
  run->variables_ = run->entries_.variables(base::value_at(stored, "variables"));
  if (base::value_at(stored, "spoken").is_string()) run->spoken_ = base::text_at(stored, "spoken");
  const auto* const strands = base::value_at(stored, "strands").if_array();
  if (!strands) return nullptr;
  for (const json::value& each : *strands) {
    Strand strand;
    if (!each.is_object() || !run->restore(each.get_object(), strand)) return nullptr;
    run->last_strand_ = std::max(run->last_strand_, strand.number);
    if (strand.wait) run->last_wait_ = std::max(run->last_wait_, strand.wait->number);
    run->strands_.emplace(strand.number, std::move(strand));
  }
  run->trace_ = home.traces.go_on(*run->item_, run->context_, base::value_at(stored, "trace"),
                                  run->entries_.trace_parts(), home.hub.clock.now());
  return run;
}

bool Run::restore(const json::object& stored, Strand& strand) {
  strand.number = static_cast<int>(base::number_at(stored, "number"));
  strand.parent = static_cast<int>(base::number_at(stored, "parent"));
  strand.children = static_cast<int>(base::number_at(stored, "children"));
  if (const auto* const ending = base::value_at(stored, "ending").if_object()) {
    strand.ending = {{base::flag_at(*ending, "failed") ? End::failed : End::stopped, base::text_at(*ending, "text"),
                      base::value_at(*ending, "response"), base::flag_at(*ending, "asked")},
                     base::flag_at(*ending, "may_go_on")};
  }
  const auto* const stack = base::value_at(stored, "stack").if_array();
  if (!stack) return false;
  for (const json::value& each : *stack) {
    if (!each.is_object()) return false;
    const json::object& object = each.get_object();
    const FoundBlock found = find_block(item_->actions, base::text_at(object, "block"));
    if (!found.block) return false;
    Frame frame{found.block};
    frame.next = static_cast<std::size_t>(base::number_at(object, "next"));
    if (frame.next > found.block->steps.size()) return false;
    frame.variables = entries_.variables(base::value_at(object, "variables"));
    frame.repeat = found.repeat;
    frame.loop.index = base::number_at(object, "index");
    frame.loop.count = base::number_at(object, "count");
    if (found.repeat && found.repeat->items) {
      frame.loop.items = entries_.value(base::value_at(object, "items"));
      if (!frame.loop.items.get<templates::List>() && !frame.loop.items.get<templates::Tuple>()) return false;
    }
    if (frame.repeat) set_round(frame);
    if (const auto* const ahead = base::value_at(object, "ahead").if_array()) {
      frame.ahead = std::make_shared<Ahead>();
      if (!ahead->empty()) frame.ahead->fired = entries_.value(ahead->front());
    }
    strand.stack.push_back(std::move(frame));
  }
  const auto* const wait = base::value_at(stored, "wait").if_object();
  if (!wait) return true;
  if (strand.stack.empty() || strand.stack.back().next == 0) return false;
  strand.wait = std::make_unique<Wait>();
  strand.wait->number = static_cast<std::uint64_t>(base::number_at(*wait, "number"));
  strand.wait->acts = base::value_at(*wait, "acts").is_bool();
  if (wait->contains("deadline"))
    strand.wait->deadline = base::Timestamp(base::Duration(base::number_at(*wait, "deadline")));
  return true;
}

core::ServiceRegistry::Done Run::await_again(const Caller& caller) {
  const auto found = strands_.find(caller.strand);
  if (found == strands_.end() || !found->second.wait || found->second.wait->number != caller.wait) return nullptr;
  found->second.wait->attached = true;
  return answer_to(found->second);
}

void Run::resume() {
  std::vector<int> numbers;
  for (const auto& [number, strand] : strands_) numbers.push_back(number);
  for (const int number : numbers) {
    if (!result_) resume(number);
  }
  if (trace_ && !result_) trace_->rest();
}

void Run::resume(int number) {
  const auto found = strands_.find(number);
  if (found == strands_.end()) return;
  Strand& strand = found->second;
  for (Frame& frame : strand.stack) {
    if (frame.ahead) look_ahead(strand, frame);
  }
  if (strand.children > 0) return;
  if (!strand.wait) return advance(number);
  if (trace_) trace_->go_on(path_of(strand), home_.hub.clock.now());
  if (strand.wait->attached) return;
  if (strand.wait->acts) {
    const std::string place = path_of(strand);
    base::log_warning("automation", "{}: the hub ended while {} was under way; it is not done again", item_->alias,
                      place);
    if (trace_) trace_->add_result({{"interrupted", true}});
    if (item_->stops_if_interrupted)
      return finish({End::failed, fmt::format("{} was interrupted by the end of the hub", place), {}});
    strand.wait.reset();
    return advance(number);
  }
  const auto now = home_.hub.clock.now();
  const auto late = strand.wait->deadline ? now - *strand.wait->deadline : base::Duration(0);
  if (late.count() > 0 && item_->max_late && late > *item_->max_late) {
    base::log_warning("automation", "{} ends: it would go on {} s late", item_->alias,
                      std::chrono::floor<std::chrono::seconds>(late).count());
    home_.missed.add(
        {fmt::format("{}.{}", domain_of(item_->kind), item_->unique_id), *strand.wait->deadline, {}, "late"});
    return finish({End::stopped, "it would have gone on too late", {}});
  }
  if (late.count() > 0) {
    const auto known = std::ranges::find(variables_, "this", &templates::Variables::value_type::first);
    if (known != variables_.end()) known->second = late_this(known->second, late);
  }
  if (strand.wait->deadline) set_deadline(strand, std::max(base::Duration(0), -late));
  if (const auto* const waits = std::get_if<WaitStep>(&step_of(strand).kind); waits && late.count() <= 0) {
    if (const auto watched = watch(strand, *waits, seen(strand)); !watched)
      base::log_warning("automation", "{}: a wait goes on without its triggers: {}", item_->alias,
                        watched.error().message);
  }
}

}  // namespace hearth::automation
