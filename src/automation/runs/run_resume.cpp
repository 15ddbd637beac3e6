// SPDX-License-Identifier: Apache-2.0
// Runs that survive a restart: when they are written down, and how they go on.
#include <fmt/format.h>

#include <algorithm>

#include "automation/runs/run.h"
#include "automation/runs/run_store.h"
#include "automation/values/context_value.h"
#include "automation/values/stored_value.h"
#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/text/timestamp.h"

namespace hearth::automation {
void Run::note() {
  if (!home_.store.is_durable() || !item_->durable) return;
  has_acted_ = false;
  json::object head = description_;
  for (auto& [key, value] : to_stored(state_, entries_)) head[key] = std::move(value);
  if (trace_) head["trace"] = entries_.stored(*trace_);
  if (entries_.write(head)) return;
  if (!std::exchange(too_large_, true))
    base::log_warning("automation", "a run of {} has more than {} MiB of variables: it does not survive a restart",
                      item_->alias, core::Journal::kMaxEntryBytes >> 20);
}

std::unique_ptr<Run> Run::restored(std::shared_ptr<const Item> item, Home& home, const json::object& stored,
                                   Post post) {
  RunState begun;
  begun.context = context_from_stored(base::value_at(stored, "context"));
  auto run = std::make_unique<Run>(std::move(item), home, std::move(begun), std::move(post));
  auto state = run_from_stored(*run->item_, stored, run->entries_);
  if (!state) return nullptr;
  run->state_ = std::move(*state);
  run->trace_ = home.traces.go_on(*run->item_, run->context(), base::value_at(stored, "trace"),
                                  run->entries_.trace_parts(), home.hub.clock.now());
  return run;
}

core::ServiceRegistry::Done Run::await_again(const Caller& caller) {
  Strand* const found = waiting(caller.strand, caller.wait);
  if (!found) return nullptr;
  found->wait->attached = true;
  return answer_to(*found);
}

void Run::resume() {
  std::vector<int> numbers;
  for (const auto& [number, strand] : state_.strands) numbers.push_back(number);
  for (const int number : numbers) {
    if (!result_) resume(number);
  }
  if (trace_ && !result_) trace_->rest();
}

void Run::resume(int number) {
  Strand* const found = state_.find(number);
  if (!found) return;
  Strand& strand = *found;
  for (Frame& frame : strand.stack) {
    if (frame.ahead) look_ahead(strand, frame);
  }
  if (strand.children > 0) return;
  if (!strand.wait) return advance(number);
  if (trace_) trace_->go_on(strand.path(), home_.hub.clock.now());
  if (strand.wait->attached) return;
  if (strand.wait->acts) {
    const std::string place = strand.path();
    base::log_warning("automation", "{}: the hub ended while {} was under way; it is not repeated", item_->alias,
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
    base::log_warning("automation", "{} ends: it would resume {} s late", item_->alias,
                      std::chrono::floor<std::chrono::seconds>(late).count());
    home_.missed.add(
        {fmt::format("{}.{}", domain_of(item_->kind), item_->unique_id), *strand.wait->deadline, {}, "late"});
    return finish({End::stopped, "it would have gone on too late", {}});
  }
  if (late.count() > 0) {
    const auto known = std::ranges::find(state_.variables, "this", &templates::Variables::value_type::first);
    if (known != state_.variables.end()) known->second = late_this(known->second, late);
  }
  if (strand.wait->deadline) set_deadline(strand, std::max(base::Duration(0), -late));
  if (const auto* const waits = std::get_if<WaitStep>(&strand.step().kind); waits && late.count() <= 0) {
    if (const auto watched = watch(strand, *waits, state_.seen(strand)); !watched)
      base::log_warning("automation", "{}: a wait resumes without its triggers: {}", item_->alias,
                        watched.error().message);
  }
}

}  // namespace hearth::automation
