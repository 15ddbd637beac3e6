// SPDX-License-Identifier: Apache-2.0
#include "base/config_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/nearest_word.h"

namespace hearth::base {
namespace {

constexpr std::size_t kMaxMessage = 32 * 1024;  // bytes

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
  problems_.emplace(line, std::move(error.message));
}

void ConfigReader::collect_into(Problems& problems) {
  for (const auto& [key, value] : section_.entries()) {
    if (std::ranges::find(known_, key) == known_.end())
      report(value.place().line, value.error(unknown_key(key, known_)));
  }
  for (const auto& section : sections_) section->collect_into(problems_);
  problems.merge(problems_);
}

std::optional<Error> ConfigReader::collect() {
  Problems problems;
  collect_into(problems);
  if (problems.empty()) return {};
  std::string message;
  std::size_t left = problems.size();
  for (const auto& [line, problem] : problems) {
    if (message.size() > kMaxMessage) {
      message += fmt::format("\nand {} more", left);
      break;
    }
    message += (message.empty() ? "" : "\n") + problem;
    --left;
  }
  return Error{ErrorCode::invalid, std::move(message)};
}

}  // namespace hearth::base
