// SPDX-License-Identifier: Apache-2.0
// Reads a section of a configuration file, one line for each key, into variables that hold the defaults:
//
//   ConfigReader in(node);
//   in.integer("seed", options.seed, 0, 1'000'000);
//   in.number("speed", options.speed, 0, 1000);
//   return in.finish(options);
//
// An absent key leaves its variable unchanged. So does a wrong value, which is noted: finish reports all errors,
// including keys that nobody read, one line each in the order of the file. Callers that go on in spite of errors use
// `problems` instead. One thread at a time; the node must outlive the reader.
#pragma once

#include <concepts>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/config/config_node.h"

namespace hearth::base {

// An error at one place.
struct ConfigProblem {
  std::size_t line = 0;
  const ConfigNode* node = nullptr;  // of the reader's section, or within it; as long as that lives
  bool unknown = false;              // a key that nobody read; otherwise a value is wrong
  std::string message;               // with file, line and key
};

class ConfigReader {
 public:
  explicit ConfigReader(const ConfigNode& section);
  ConfigReader(ConfigReader&&) = delete;

  void text(std::string_view key, std::string& value) { read(key, value, &ConfigNode::text); }
  void boolean(std::string_view key, bool& value) { read(key, value, &ConfigNode::boolean); }
  template <std::integral T>
  void integer(std::string_view key, T& value, std::int64_t min, std::int64_t max) {
    read(key, value, &ConfigNode::integer, min, max);
  }
  void number(std::string_view key, double& value, double min, double max) {
    read(key, value, &ConfigNode::number, min, max);
  }
  void duration(std::string_view key, Duration& value, Duration min, Duration max) {
    read(key, value, &ConfigNode::duration, min, max);
  }
  void byte_size(std::string_view key, std::size_t& value, std::uint64_t min, std::uint64_t max) {
    read(key, value, &ConfigNode::byte_size, min, max);
  }
  void texts(std::string_view key, std::vector<std::string>& value) { read(key, value, &ConfigNode::texts); }

  // One of the named values.
  template <class T>
  void option(std::string_view key, T& value, std::initializer_list<std::pair<std::string_view, T>> options) {
    std::vector<std::string_view> names;
    for (const auto& [name, meaning] : options) names.push_back(name);
    std::string chosen;
    read(key, chosen, &ConfigNode::option, names);
    for (const auto& [name, meaning] : options) {
      if (name == chosen) value = meaning;
    }
  }

  // A string with a syntax of its own. `parse` returns an optional value, null if the string is not `expected`.
  template <class T, class Parse>
  void parsed(std::string_view key, T& value, std::string_view expected, Parse parse) {
    const ConfigNode* node = find(key);
    if (node) parse_into(*node, expected, parse, [&](T parsed) { value = std::move(parsed); });
  }
  // The same for each item of a list, or for a single string. The values read replace all that were there.
  template <class T, class Parse>
  void parsed_list(std::string_view key, std::vector<T>& values, std::string_view expected, Parse parse) {
    const ConfigNode* node = find(key);
    if (!node) return;
    values.clear();
    if (node->is_empty()) return;
    const auto append = [&](T parsed) { values.push_back(std::move(parsed)); };
    if (!node->is_list()) return parse_into(*node, expected, parse, append);
    for (const ConfigNode& item : node->items()) parse_into(item, expected, parse, append);
  }

  // The section itself.
  const ConfigNode& node() const { return section_; }
  // The section under the key, empty if the key is absent; this reader's finish reports its errors.
  ConfigReader& section(std::string_view key);
  // The key's own node, for callers that read it themselves. Null if the key is absent.
  const ConfigNode* find(std::string_view key);
  // Notes another error, to be reported in line order with the rest: of the section, or of a node within it.
  void report(std::size_t line, Error error);
  void report(const ConfigNode& node, Error error);
  void report(ConfigProblem problem) { problems_.emplace(problem.line, std::move(problem)); }
  // Further words that an unknown key may be meant as; they are not listed.
  void suggest(std::string_view word) { suggested_.emplace_back(word); }

  // All problems, also of the subsections, in the order of the file. Call once, at the end.
  std::vector<ConfigProblem> problems();

  // The values read, or all errors. Fails with invalid.
  template <class T>
  Result<T> finish(T value) {
    if (auto error = collect()) return std::unexpected(std::move(*error));
    return value;
  }

 private:
  using Problems = std::multimap<std::size_t, ConfigProblem>;  // by line

  template <class T, class Value, class... Bounds, class... Args>
  void read(std::string_view key, T& value, Result<Value> (ConfigNode::*getter)(Bounds...) const,
            const Args&... bounds) {
    const ConfigNode* node = find(key);
    if (!node) return;
    auto read = (node->*getter)(bounds...);
    if (read)
      value = static_cast<T>(std::move(*read));
    else
      report(*node, std::move(read.error()));
  }
  template <class Parse, class Use>
  void parse_into(const ConfigNode& node, std::string_view expected, Parse& parse, Use use) {
    const auto text = node.text();
    auto parsed = text ? parse(std::string_view(*text)) : decltype(parse(std::string_view()))();
    if (parsed)
      use(std::move(*parsed));
    else
      report(node, node.mismatch(expected));
  }
  // Moves all problems of this section and its subsections, also unknown keys, into `problems`.
  void collect_into(Problems& problems);
  std::optional<Error> collect();

  const ConfigNode& section_;
  std::vector<std::string> known_, suggested_;
  Problems problems_;
  std::vector<std::unique_ptr<ConfigReader>> sections_;
};

}  // namespace hearth::base
