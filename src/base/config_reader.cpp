// SPDX-License-Identifier: Apache-2.0
#include "base/config_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "base/nearest_word.h"

namespace hearth::base {
namespace {

std::string unknown_key(std::string_view key, const std::vector<std::string>& known) {
  if (known.empty()) return "unknown key. Known: none";
  const std::vector<std::string_view> words(known.begin(), known.end());
  const auto nearest = nearest_word(key, words);
  const std::string meant = nearest ? fmt::format(", did you mean {}?", *nearest) : ".";
  return fmt::format("unknown key{} Known: {}", meant, fmt::join(known, ", "));
}

}  // namespace

ConfigReader::ConfigReader(const ConfigNode& section) : section_(section) {
  if (!section.is_map() && !section.is_empty()) report(section.place().line, section.mismatch("keys with values"));
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
  problems_.push_back({line, std::move(error.message)});
}

void ConfigReader::collect_into(std::vector<Problem>& problems) {
  for (const auto& [key, value] : section_.entries()) {
    if (std::ranges::find(known_, key) == known_.end())
      report(value.place().line, value.error(unknown_key(key, known_)));
  }
  for (const auto& section : sections_) section->collect_into(problems_);
  std::ranges::move(problems_, std::back_inserter(problems));
  problems_.clear();
}

std::optional<Error> ConfigReader::collect() {
  std::vector<Problem> problems;
  collect_into(problems);
  if (problems.empty()) return {};
  std::ranges::stable_sort(problems, {}, &Problem::line);
  std::string message;
  for (const Problem& problem : problems) message += (message.empty() ? "" : "\n") + problem.message;
  return Error{ErrorCode::invalid, std::move(message)};
}

}  // namespace hearth::base
