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
#include "automation/home/repeated_errors.h"
#include "automation/home/run_queue.h"
#include "automation/home/states_at_event.h"
#include "automation/home/traces.h"
#include "automation/home/webhook_router.h"
#include "automation/values/renderer.h"
#include "core/hub.h"
#include "core/journal.h"
#include "domains/sky/sun_times.h"

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
        renderer(used_hub, std::move(imports)),
        events(used_hub.bus),
        webhooks(used_hub.webhooks),
        run_queue(used_hub.bus),
        moments(used_hub) {}

  // The home as of an event that is being delivered: triggers, and the conditions of what they start, see it so even if
  // it has changed since. Ends when destroyed.
  class Moment {
   public:
    Moment(Home& home, const core::Event& event) : home_(home), former_(std::exchange(home.past_, nullptr)) {
      home_.event_number_ = event.sequence;
      home_.see(home_.moments.at(event.sequence));
    }
    ~Moment() { home_.see(former_); }
    Moment(const Moment&) = delete;
    Moment& operator=(const Moment&) = delete;

   private:
    Home& home_;
    const templates::PastStates* const former_;
  };
  // Whether the present moment is not the newest.
  bool lags() const { return past_ != nullptr; }
  // The number of the last event of a Moment.
  std::uint64_t event_number() const { return event_number_; }

  // The state at the present moment. Null if there is none.
  core::StatePtr find(std::string_view entity_id) const {
    const auto past = past_ ? past_->find(entity_id) : templates::PastStates::const_iterator();
    core::StatePtr state = past_ && past != past_->end() ? past->second : hub.states.find(entity_id);
    if (trace_) trace_->add_state(entity_id, state);
    return state;
  }

  // What is looked at and rendered is noted in the trace, which may be null. Ends when destroyed.
  class Tracing {
   public:
    Tracing(Home& home, Trace* trace) : home_(home), former_(home.trace_) { home.note_in(trace); }
    ~Tracing() { home_.note_in(former_); }
    Tracing(const Tracing&) = delete;
    Tracing& operator=(const Tracing&) = delete;

   private:
    Home& home_;
    Trace* const former_;
  };
  Trace* trace() const { return trace_; }

  domains::Place place() const {
    const auto config = hub.config.load();
    return {config->latitude, config->longitude, static_cast<double>(config->elevation)};
  }
  templates::Zone zone() const { return templates::Zone::of(hub.config.load()->time_zone); }

  // The entity of that id in the registry, or itself if it is an entity id.
  std::string entity_id_of(const std::string& reference) const {
    if (reference.contains('.')) return reference;
    const auto registry = hub.registry.snapshot();
    const core::RegisteredEntity* const entity = registry->find_entity_by_id(reference);
    return entity ? entity->entity_id : reference;
  }

  core::Hub& hub;
  Renderer renderer;
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
  std::function<bool(const core::ServiceRequest& request, const Caller& caller, core::ServiceRegistry::Done done)>
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
  void see(const templates::PastStates* past) {
    past_ = past;
    renderer.look_at(past);
  }

  void note_in(Trace* trace) {
    trace_ = trace;
    renderer.note_in(trace);
  }

  mutable RepeatedErrors errors_;
  Trace* trace_ = nullptr;
  const templates::PastStates* past_ = nullptr;  // null: the present
  std::uint64_t event_number_ = 0;
  std::uint64_t last_run_ = 0;
};

}  // namespace hearth::automation
