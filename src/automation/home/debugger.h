// SPDX-License-Identifier: Apache-2.0
// Breakpoints of automations and scripts, and the runs that stopped at one, before the step of its path. Breakpoints
// last as long as somebody listens: without a listener all are cleared, and the stopped runs resume. Bus thread only.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::automation {

class Debugger {
 public:
  static constexpr std::size_t kMaxBreakpoints = 1'000, kMaxText = 256;
  static constexpr std::string_view kAny = "*";  // run, or node

  struct Breakpoint {
    std::string item;  // automation.<unique id>, or of a script
    std::string run;   // kAny: of each run
    std::string node;  // the path of a step, such as action/0; kAny: of each step

    auto operator<=>(const Breakpoint&) const = default;
  };
  // The next step of a run that stands.
  struct Standing {
    std::function<void()> go_on, end;
  };
  using Listener = std::function<void(json::object stopped)>;

  // Calls `stopped` with {domain, item_id, run_id, node} for each run that stops, until the result is destroyed.
  std::shared_ptr<void> listen(Listener stopped);

  // Fails with invalid if nobody listens, if there are too many or if a text is too long.
  base::Result<void> set(Breakpoint breakpoint);
  // True if there was one.
  bool clear(const Breakpoint& breakpoint) { return breakpoints_.erase(breakpoint) > 0; }
  // {domain, item_id, run_id, node} of each.
  json::array list() const;

  // These fail with not_found if no such run stands anywhere.
  base::Result<void> go_on(const std::string& item, const std::string& run);
  base::Result<void> step(const std::string& item, const std::string& run);  // stops at each step from now on
  base::Result<void> end(const std::string& item, const std::string& run);

  // For runs: whether there is a breakpoint anywhere.
  bool is_active() const { return !breakpoints_.empty() || !stepping_.empty(); }
  // True if the run stops before that step.
  bool stops_at(const std::string& item, const std::string& run, const std::string& node) const;
  void stop(const std::string& item, const std::string& run, const std::string& node, Standing standing);
  // The run has ended.
  void forget(const std::string& run);

 private:
  struct Listening {
    std::weak_ptr<Debugger*> debugger;
    std::list<Listener>::iterator place;
    ~Listening();
  };
  void stop_listening(std::list<Listener>::iterator place);
  base::Result<std::vector<Standing>> strands_of(const std::string& item, const std::string& run);

  const std::shared_ptr<Debugger*> alive_ = std::make_shared<Debugger*>(this);
  std::list<Listener> listeners_;
  std::set<Breakpoint> breakpoints_;
  std::set<std::string, std::less<>> stepping_;  // runs
  struct Place {
    std::string item;
    std::vector<Standing> strands;  // those of parallel steps
  };
  std::map<std::string, Place, std::less<>> standing_;  // by run
};

}  // namespace hearth::automation
