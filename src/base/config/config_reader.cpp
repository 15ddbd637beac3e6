// SPDX-License-Identifier: Apache-2.0
#include "base/config/config_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text/nearest_word.h"

namespace hearth::base {
namespace {

constexpr std::size_t kMaxMessage = 32 * 1024;  // bytes

std::string unknown_key(std::string_view key, const std::vector<std::string>& known,
                        const std::vector<std::string>& suggested) {
  std::vector<std::string_view> words(known.begin(), known.end());
  words.insert(words.end(), suggested.begin(), suggested.end());
  const auto nearest = nearest_word(key, words);
  const std::string meant = nearest ? fmt::format(", did you mean {}?", *nearest) : ".";
  if (known.empty()) return fmt::format("unknown key{} Known: none", meant);
  return fmt::format("unknown key{} Known: {}", meant, fmt::join(known, ", "));
}

}  // namespace

ConfigReader::ConfigReader(const ConfigNode& section) : section_(section) {
  if (!section.is_map() && !section.is_empty()) report(section, section.mismatch("keys with values"));
}

const ConfigNode* ConfigReader::find(std::string_view key) {
  if (std::ranges::find(known_, key) == known_.end()) known_.emplace_back(key);
  return section_.find(key);
}

ConfigReader& ConfigReader::section(std::string_view key) {
  static const ConfigNode kEmpty;
  const ConfigNode* node = find(key);
  return *sections_.emplace_back(std::make_unique<ConfigReader>(node ? *node : kEmpty));
}

void ConfigReader::report(std::size_t line, Error error) {
  problems_.emplace(line, ConfigProblem{line, &section_, false, std::move(error.message)});
}

void ConfigReader::report(const ConfigNode& node, Error error) {
  const std::size_t line = node.place().line;
  problems_.emplace(line, ConfigProblem{line, &node, false, std::move(error.message)});
}

void ConfigReader::collect_into(Problems& problems) {
  for (const auto& [key, value] : section_.entries()) {
    if (std::ranges::find(known_, key) != known_.end()) continue;
    // A value that could not be read is wrong, whatever its key is called.
    const Error why = value.broken() ? *value.broken() : value.error(unknown_key(key, known_, suggested_));
    const std::size_t line = value.place().line;
    problems_.emplace(line, ConfigProblem{line, &value, !value.broken(), why.message});
  }
  for (const auto& section : sections_) section->collect_into(problems_);
  problems.merge(problems_);
}

std::vector<ConfigProblem> ConfigReader::problems() {
  Problems problems;
  collect_into(problems);
  std::vector<ConfigProblem> list;
  for (auto& [line, problem] : problems) list.push_back(std::move(problem));
  return list;
}

std::optional<Error> ConfigReader::collect() {
  const std::vector<ConfigProblem> found = problems();
  if (found.empty()) return {};
  std::string message;
  std::size_t left = found.size();
  for (const ConfigProblem& problem : found) {
    if (message.size() > kMaxMessage) {
      message += fmt::format("\nand {} more", left);
      break;
    }
    message += (message.empty() ? "" : "\n") + problem.message;
    --left;
  }
  return Error{ErrorCode::invalid, std::move(message)};
}

}  // namespace hearth::base
