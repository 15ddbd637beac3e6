// SPDX-License-Identifier: Apache-2.0
// The home, as triggers, conditions and runs use it. One object for all; outlives them. Bus thread only.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "automation/home/cause_chain.h"
#include "automation/home/conversations.h"
#include "automation/home/debugger.h"
#include "automation/home/event_router.h"
#include "automation/home/missed_runs.h"
#include "automation/home/moment.h"
#include "automation/home/repeated_errors.h"
#include "automation/home/run_queue.h"
#include "automation/home/states_at_event.h"
#include "automation/home/traces.h"
#include "automation/home/webhook_router.h"
#include "core/hub.h"
#include "core/journal.h"

namespace hearth::automation {

// The step of a run that waits for a script that it calls.
struct Caller {
  base::Id run;  // its context
  int strand = 0;
  std::uint64_t wait = 0;
};

class ForClocks;
class TriggerNotes;

struct Home {
  static constexpr std::size_t kMaxRuns = 10'000;  // at once, of all items; a further one is dropped

  Home(core::Hub& used_hub, Renderer::Imports imports)
      : hub(used_hub),
        templates{core::View(used_hub, {}), std::move(imports)},
        events(used_hub.bus),
        webhooks(used_hub.webhooks),
        run_queue(used_hub.bus),
        moments(used_hub) {}

  // The present. What is looked at and rendered is noted in the trace, which may be null.
  Moment now(Trace* trace = nullptr) const { return {hub, templates, event_, nullptr, trace}; }
  // Of what sees the present, and is noted nowhere.
  Renderer renderer() const { return Renderer(templates); }
  // The home as of an event that is being delivered: triggers, and the conditions of what they start, see it so even if
  // it has changed since. Numbers of the calls must not decrease; valid until the next one.
  Moment at(const core::Event& event) {
    event_ = event.sequence;
    return {hub, templates, event_, moments.at(event_), nullptr};
  }

  core::Hub& hub;
  const Renderer::Home templates;
  EventRouter events;
  WebhookRouter webhooks;
  Conversations conversations;
  RunQueue run_queue;
  StatesAtEvent moments;
  CauseChain cause_chain;
  Traces traces;
  Debugger debugger;
  MissedRuns missed;
  std::size_t runs = 0;  // that are under way
  // Numbers that increase from run to run, also over restarts.
  std::uint64_t next_run_number() { return ++last_run_; }
  void skip_run_numbers(std::uint64_t to) { last_run_ = std::max(last_run_, to); }
  // Logs what went wrong with an item; what comes again less and less often.
  void complain(std::string_view item, std::string_view text,
                RepeatedErrors::Severity severity = RepeatedErrors::Severity::warning) const {
    errors_.log(item, text, severity);
  }
  // How often it has complained in lines that begin so.
  std::uint64_t complaints(std::string_view begin) const { return errors_.count(begin); }
  // An automation has been stopped, or was turned on again after that.
  std::function<void()> stopped = [] {};
  // Runs the script that the request names, as its service would, and answers when it has ended, however long that
  // takes. False, without an answer, if there is no such script.
  // The call is noted in the trace, which may be null.
  std::function<bool(const core::ServiceRequest& request, const Caller& caller, Trace* trace,
                     core::ServiceRegistry::Done done)>
      call_script;

  // The events of a calendar that are not over at `from` and begin before `until`, as calendar.get_events answers.
  // Fails if the home has no such calendar.
  std::function<base::Result<json::array>(const std::string& entity_id, base::Timestamp from, base::Timestamp until)>
      calendar_events;

  // Whether the wall clock tells the time. False on a machine without a clock of its own until the network has told it.
  std::function<bool()> clock_is_set = [] { return true; };

  // Restores a run that belongs to neither an automation nor a script. False if nobody owns it.
  std::function<bool(std::string_view item, const json::object& stored)> restore_run;

  // What survives a restart; null if nothing does.
  core::Journal* journal = nullptr;
  // What the journal had at the start, by key, until it is in use again.
  std::map<std::string, json::object, std::less<>> stored;
  // Entries whose keys begin so belong to others than automations and scripts, and stay where they are.
  std::vector<std::string> keys_of_others;
  bool is_of_others(std::string_view key) const {
    return std::ranges::any_of(keys_of_others, [&](const std::string& begin) { return key.starts_with(begin); });
  }
  std::map<std::string, ForClocks*> for_clocks;        // by place
  std::map<std::string, TriggerNotes*> trigger_notes;  // by kind and place
  bool stopping = false;                               // what ends from now on goes on after the next start
  void put(std::string key, std::string text) const {
    if (journal && !stopping) journal->put(std::move(key), std::move(text));
  }
  void forget(std::string_view key) const {
    if (journal && !stopping) journal->remove(key);
  }
  void keep(const core::StatePtr& state) const {
    if (journal && state) journal->keep(state);
  }

 private:
  mutable RepeatedErrors errors_;
  std::uint64_t event_ = 0;  // number of the last one that a trigger was told
  std::uint64_t last_run_ = 0;
};

}  // namespace hearth::automation
