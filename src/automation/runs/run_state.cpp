// SPDX-License-Identifier: Apache-2.0
#include "automation/runs/run_state.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::automation {
namespace {

using templates::Value;
using templates::Variables;

Value repeat_value(const RepeatStep& step, const Loop& loop) {
  templates::Dict repeat;
  repeat.set("index", Value(loop.index));
  repeat.set("first", Value(loop.index == 1));
  if (loop.count >= 0) repeat.set("last", Value(loop.index == loop.count));
  if (step.items && loop.index <= templates::length_of(loop.items).value_or(0))
    repeat.set("item", templates::item_of(loop.items, Value(loop.index - 1)));
  return Value::dict(std::move(repeat));
}

void set_in(Variables& variables, const std::string& name, Value value) {
  const auto found = std::ranges::find(variables, name, &Variables::value_type::first);
  if (found == variables.end())
    variables.emplace_back(name, std::move(value));
  else
    found->second = std::move(value);
}

bool has(const Variables& variables, const std::string& name) {
  return std::ranges::find(variables, name, &Variables::value_type::first) != variables.end();
}

}  // namespace

void Frame::set_round() {
  round = {{"repeat", repeat_value(*repeat, loop)}};
}

std::string Strand::path() const {
  return fmt::format("{}/{}", stack.back().block->path, stack.back().next - 1);
}

bool Strand::leave_failed() {
  for (std::size_t depth = stack.size(); depth > 0; --depth) {
    const Frame& frame = stack[depth - 1];
    if (!frame.block->steps[frame.next - 1].continue_on_error) continue;
    while (stack.size() > depth) stack.pop_back();
    return true;
  }
  return false;
}

Strand& RunState::add_strand(int parent, const Block& block) {
  Strand& strand = strands[++last_strand];
  strand.number = last_strand;
  strand.parent = parent;
  strand.enter(block);
  return strand;
}

Strand* RunState::find(int strand) {
  const auto found = strands.find(strand);
  return found == strands.end() ? nullptr : &found->second;
}

Strand* RunState::parent_of(const Strand& strand) {
  return strand.parent < 0 ? nullptr : find(strand.parent);
}

templates::VariablesView RunState::seen(const Strand& strand) const {
  templates::VariablesView all;
  for (const Strand* each = &strand; each;) {
    for (auto frame = each->stack.rbegin(); frame != each->stack.rend(); ++frame) {
      all.add_outer(frame->variables);
      if (frame->repeat) all.add_outer(frame->round);
    }
    const auto parent = each->parent < 0 ? strands.end() : strands.find(each->parent);
    each = parent == strands.end() ? nullptr : &parent->second;
  }
  all.add_outer(variables);
  return all;
}

Variables* RunState::known_in(Strand& strand, const std::string& name) {
  for (auto frame = strand.stack.rbegin(); frame != strand.stack.rend(); ++frame) {
    if (has(frame->variables, name)) return &frame->variables;
  }
  return strand.parent < 0 && has(variables, name) ? &variables : nullptr;
}

void RunState::assign(Strand& strand, Scope scope, const std::string& name, Value value) {
  Strand* outermost = &strand;
  Variables* known = known_in(strand, name);
  while (Strand* const parent = known || scope == Scope::branch ? nullptr : parent_of(*outermost)) {
    outermost = parent;
    known = known_in(*parent, name);
  }
  if (!known) known = &(scope == Scope::block ? strand.stack.back() : outermost->stack.front()).variables;
  set_in(*known, name, std::move(value));
}

}  // namespace hearth::automation
