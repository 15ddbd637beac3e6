// SPDX-License-Identifier: Apache-2.0
#include "automation/config/action.h"

namespace hearth::automation {
namespace {

// The block, or one within it.
FoundBlock find_within(const Block& block, const RepeatStep* repeat, std::string_view path) {
  if (block.path == path) return {&block, repeat};
  if (!path.starts_with(block.path)) return {};
  for (const Step& step : block.steps) {
    FoundBlock found;
    const auto look = [&](const Block& inner, const RepeatStep* loop = nullptr) {
      if (!found.block) found = find_within(inner, loop, path);
    };
    if (const auto* const choose = std::get_if<ChooseStep>(&step.kind)) {
      for (const ChooseStep::Choice& choice : choose->choices) look(choice.block);
      if (choose->otherwise) look(*choose->otherwise);
    } else if (const auto* const loop = std::get_if<RepeatStep>(&step.kind)) {
      look(loop->block, loop);
    } else if (const auto* const parallel = std::get_if<ParallelStep>(&step.kind)) {
      for (const Block& branch : parallel->branches) look(branch);
    } else if (const auto* const sequence = std::get_if<SequenceStep>(&step.kind)) {
      look(sequence->block);
    }
    if (found.block) return found;
  }
  return {};
}

}  // namespace

FoundBlock find_block(const Block& root, std::string_view path) {
  return find_within(root, nullptr, path);
}

std::string key_of_path(std::string_view path) {
  std::string key;
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(part.size() + 1, path.size()));
    if (part.find_first_not_of("0123456789") == std::string_view::npos)
      key += "[" + std::string(part) + "]";
    else if (key.empty())
      key = part == "action" ? "actions" : part;
    else
      key += "." + std::string(part);
  }
  return key;
}

}  // namespace hearth::automation
