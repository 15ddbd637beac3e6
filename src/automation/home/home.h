// SPDX-License-Identifier: Apache-2.0
// The parts that all triggers and runs share: the hub, requests to other modules (Ports), state that survives a restart
// (Store), and the home as they see it (Moment). One object for all; outlives them. Bus thread only.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "automation/home/cause_chain.h"
#include "automation/home/conversations.h"
#include "automation/home/debugger.h"
#include "automation/home/event_router.h"
#include "automation/home/missed_runs.h"
#include "automation/home/moment.h"
#include "automation/home/ports.h"
#include "automation/home/run_queue.h"
#include "automation/home/states_at_event.h"
#include "automation/home/traces.h"
#include "automation/home/webhook_router.h"
#include "automation/store/store.h"
#include "base/log/repeated_log.h"
#include "core/hub.h"

namespace hearth::automation {

class ForClocks;

struct Home {
  static constexpr std::size_t kMaxRuns = 10'000;  // at once, of all items; a further one is dropped

  Home(core::Hub& used_hub, Renderer::Imports imports, Ports& used_ports)
      : hub(used_hub),
        ports(&used_ports),
        templates{core::View(used_hub, {}), std::move(imports)},
        events(used_hub.bus),
        webhooks(used_hub.webhooks),
        run_queue(used_hub.bus),
        moments(used_hub) {}

  // The present. What is looked at and rendered is noted in the trace, which may be null.
  Moment now(Trace* trace = nullptr) const { return {hub, templates, event_, nullptr, trace}; }
  // Sees the present, and notes nothing.
  Renderer renderer() const { return Renderer(templates); }
  // The home as of an event that is being delivered: triggers, and the conditions of what they start, see it so even if
  // it has changed since. Numbers of the calls must not decrease; valid until the next one.
  Moment at(const core::Event& event) {
    event_ = event.sequence;
    return {hub, templates, event_, moments.at(event_), nullptr};
  }

  core::Hub& hub;
  Ports* ports;  // never null
  RunOwner* run_owner = nullptr;
  Store store;
  ByPlace<ForClocks> for_clocks;
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
  std::size_t runs = 0;  // under way
  // Numbers that increase from run to run, also over restarts.
  std::uint64_t next_run_number() { return ++last_run_; }
  void skip_run_numbers(std::uint64_t to) { last_run_ = std::max(last_run_, to); }
  // Logs what went wrong with an item; what comes again less and less often.
  void complain(std::string_view item, std::string_view text,
                base::RepeatedLog::Severity severity = base::RepeatedLog::Severity::warning) const {
    errors_.log(item, text, severity);
  }
  // How often it has complained in lines that begin so.
  std::uint64_t complaints(std::string_view begin) const { return errors_.count(begin); }

 private:
  mutable base::RepeatedLog errors_{"automation"};
  std::uint64_t event_ = 0;  // number of the last one that a trigger was told
  std::uint64_t last_run_ = 0;
};

}  // namespace hearth::automation
