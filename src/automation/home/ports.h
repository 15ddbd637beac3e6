// SPDX-License-Identifier: Apache-2.0
// The requests of triggers and runs to other modules. Bus thread only.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/id.h"
#include "base/json/json.h"
#include "base/result.h"
#include "core/services/service_registry.h"

namespace hearth::automation {

class Trace;

// The step of a run that waits for a script that it calls.
struct Caller {
  base::Id run;  // its context
  int strand = 0;
  std::uint64_t wait = 0;
};

class Ports {
 public:
  virtual ~Ports() = default;

  // Runs the script that the request names, as its service would, and answers when it has ended, however long that
  // takes. The call is noted in the trace, which may be null. False, without an answer, if there is no such script.
  virtual bool call_script(const core::ServiceRequest& request, const Caller& caller, Trace* trace,
                           const core::ServiceRegistry::Done& done) = 0;
  // The events of a calendar that are not over at `from` and begin before `until`, as calendar.get_events answers.
  // Fails if the home has no such calendar.
  virtual base::Result<json::array> calendar_events(const std::string& entity_id, base::Timestamp from,
                                                    base::Timestamp until) = 0;
  // True if the wall clock tells the time; once true, it stays so. False on a machine without a clock of its own until
  // the network has told it.
  virtual bool clock_is_set() = 0;
  // An automation has been stopped by its rate, or was turned on again after that.
  virtual void stopped_changed() = 0;
};

// The owner of runs that belong to neither an automation nor a script.
class RunOwner {
 public:
  virtual ~RunOwner() = default;
  // Restores a run from the journal. False if it is of no item of this owner's.
  virtual bool restore_run(std::string_view item, const json::object& stored) = 0;
};

}  // namespace hearth::automation
