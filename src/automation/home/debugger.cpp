// SPDX-License-Identifier: Apache-2.0
#include "automation/home/debugger.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::automation {
namespace {

json::object shown_breakpoint(std::string_view item, std::string_view run, std::string_view node) {
  const auto dot = item.find('.');
  return {{"domain", item.substr(0, dot)}, {"item_id", item.substr(dot + 1)}, {"run_id", run}, {"node", node}};
}

}  // namespace

Debugger::Listening::~Listening() {
  if (const auto alive = debugger.lock()) (*alive)->stop_listening(place);
}

void Debugger::stop_listening(std::list<Listener>::iterator place) {
  listeners_.erase(place);
  if (!listeners_.empty()) return;
  breakpoints_.clear();
  stepping_.clear();
  for (const auto& [run, each] : std::exchange(standing_, {})) {
    for (const Standing& strand : each.strands) strand.go_on();
  }
}

std::shared_ptr<void> Debugger::listen(Listener stopped) {
  listeners_.push_back(std::move(stopped));
  return std::make_shared<Listening>(alive_, std::prev(listeners_.end()));
}

base::Result<void> Debugger::set(Breakpoint breakpoint) {
  using base::ErrorCode;
  if (listeners_.empty())
    return base::fail(ErrorCode::invalid, "Nobody listens: trace/debug/breakpoint/subscribe comes first.");
  for (const std::string* const text : {&breakpoint.item, &breakpoint.run, &breakpoint.node}) {
    if (text->empty() || text->size() > kMaxText)
      return base::fail(ErrorCode::invalid,
                        fmt::format("item_id, run_id, node: expected texts of 1 to {} bytes.", kMaxText));
  }
  if (breakpoints_.size() >= kMaxBreakpoints && !breakpoints_.contains(breakpoint))
    return base::fail(ErrorCode::invalid, fmt::format("There are {} breakpoints already.", kMaxBreakpoints));
  breakpoints_.insert(std::move(breakpoint));
  return {};
}

json::array Debugger::list() const {
  json::array all;
  for (const Breakpoint& each : breakpoints_) all.push_back(shown_breakpoint(each.item, each.run, each.node));
  return all;
}

base::Result<std::vector<Debugger::Standing>> Debugger::strands_of(const std::string& item, const std::string& run) {
  const auto found = standing_.find(run);
  if (found == standing_.end() || found->second.item != item)
    return base::fail(base::ErrorCode::not_found, fmt::format("No run {} of {} stands at a breakpoint.", run, item));
  auto strands = std::move(found->second.strands);
  standing_.erase(found);
  return strands;
}

base::Result<void> Debugger::go_on(const std::string& item, const std::string& run) {
  const auto strands = strands_of(item, run);
  if (!strands) return std::unexpected(strands.error());
  stepping_.erase(run);
  for (const Standing& strand : *strands) strand.go_on();
  return {};
}

base::Result<void> Debugger::step(const std::string& item, const std::string& run) {
  const auto strands = strands_of(item, run);
  if (!strands) return std::unexpected(strands.error());
  stepping_.insert(run);
  for (const Standing& strand : *strands) strand.go_on();
  return {};
}

base::Result<void> Debugger::end(const std::string& item, const std::string& run) {
  const auto strands = strands_of(item, run);
  if (!strands) return std::unexpected(strands.error());
  strands->front().end();
  return {};
}

bool Debugger::stops_at(const std::string& item, const std::string& run, const std::string& node) const {
  if (stepping_.contains(run)) return true;
  const std::string any(kAny);
  return std::ranges::any_of(
      std::initializer_list<Breakpoint>{{item, any, node}, {item, run, node}, {item, any, any}, {item, run, any}},
      [&](const Breakpoint& each) { return breakpoints_.contains(each); });
}

void Debugger::stop(const std::string& item, const std::string& run, const std::string& node, Standing standing) {
  Place& place = standing_[run];
  place.item = item;
  place.strands.push_back(std::move(standing));
  for (const Listener& listener : listeners_) listener(shown_breakpoint(item, run, node));
}

void Debugger::forget(const std::string& run) {
  stepping_.erase(run);
  standing_.erase(run);
}

}  // namespace hearth::automation
