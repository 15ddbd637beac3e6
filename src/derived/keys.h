// SPDX-License-Identifier: Apache-2.0
// Reads the keys of one sensor, and records the type, the bounds and the default of each for the form that pages show:
// form and reader cannot differ. One thread at a time; the node must outlive the reader.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "automation/config/parsing.h"
#include "base/config/config_reader.h"
#include "base/json/json.h"
#include "core/values/field.h"

namespace hearth::derived {

// The value that may stand at a key.
struct Key {
  std::string name;
  json::object selector = {};  // of the form's input: {"number":{"min":0,"max":15}}
  bool required = false;
  json::value otherwise = {};  // what counts without it; null: nothing
};

// Whose states are numbers.
constexpr core::Words kNumbers{"sensor input_number number counter"};
// A number has no bounds of its own below and above this.
constexpr double kFar = 1e15;

class Keys : public base::ConfigReader {
 public:
  // `told` gets the keys in the order of their reading; null: nobody asks.
  explicit Keys(const base::ConfigNode& node, std::vector<Key>* told = nullptr)
      : ConfigReader(node), node_(node), told_(told) {}

  const base::ConfigNode& node() const { return node_; }

  // Notes that it is missing, if it is.
  void require(std::string_view key);

  std::string text(std::string_view key);
  void boolean(std::string_view key, bool& value);
  // One or several; the choices, if there are any, are offered and not checked.
  void texts(std::string_view key, std::vector<std::string>& value, const std::vector<std::string_view>& choices = {});
  template <std::integral T>
  void integer(std::string_view key, T& value, std::int64_t min, std::int64_t max) {
    describe_number(key, core::field::Integer{min, max}, value);
    // Any number is one, without what is behind its point.
    if (const auto whole = whole_number(key); whole && *whole >= min && *whole <= max)
      value = static_cast<T>(*whole);
    else
      ConfigReader::integer(key, value, min, max);
  }
  void number(std::string_view key, double& value, double min, double max, std::string_view unit = {});
  // Any number; null if it is absent or empty.
  std::optional<double> limit(std::string_view key);
  template <class T>
  void option(std::string_view key, T& value, std::initializer_list<std::pair<std::string_view, T>> options) {
    std::vector<std::string_view> names;
    std::string_view otherwise;
    for (const auto& [name, meaning] : options) {
      names.push_back(name);
      if (meaning == value) otherwise = name;
    }
    describe_choice(key, names, otherwise);
    ConfigReader::option<T>(key, value, options);
  }
  // A text with a syntax of its own, for which some are offered.
  template <class T, class Parse>
  void parsed(std::string_view key, T& value, std::string_view expected, Parse parse, core::Words offered = {}) {
    tell(key, core::field::Text{offered});
    ConfigReader::parsed(key, value, expected, parse);
  }
  template <class T, class Parse>
  void parsed_list(std::string_view key, std::vector<T>& values, std::string_view expected, Parse parse) {
    tell(key, core::field::TextList{});
    const base::ConfigNode* const found = find(key);
    if (found && !found->is_empty()) ConfigReader::parsed_list(key, values, expected, parse);
  }
  // Entities, of which there must be one. `domains`: those that are offered; none: all.
  std::vector<std::string> entities(std::string_view key, core::Words domains);
  // The only one; empty after noting that there is none, or more.
  std::string entity(std::string_view key, core::Words domains, std::string_view expected = "one entity");
  // Seconds, as text or number, or any other form of a duration; at least `min`.
  base::Duration span(std::string_view key, base::Duration otherwise, base::Duration min);
  // The same, which may be negative.
  base::Duration shift(std::string_view key);
  std::optional<automation::Data> code(std::string_view key);

  // The value that may stand at a key which is read in another way.
  void tell(std::string_view key, const core::field::Type& type, json::value otherwise = {});
  void describe_choice(std::string_view key, const std::vector<std::string_view>& names, std::string_view otherwise);
  // A number in a box; `otherwise` counts only within its bounds.
  void describe_number(std::string_view key, const core::field::Type& type, json::value otherwise = {});
  // Objects in a list; what each has follows from one of its keys, `by`, which `read` reads as an option.
  void describe_list(std::string_view key, std::string_view by, const std::function<void(Keys& each)>& read);

 private:
  Key& told(std::string_view key);
  void tell_selector(std::string_view key, json::object selector, json::value otherwise = {});
  // Null if the key is absent, or no number.
  std::optional<std::int64_t> whole_number(std::string_view key);
  void describe_entities(std::string_view key, core::Words domains, bool several);

  const base::ConfigNode& node_;
  std::vector<Key>* const told_;
};

// {"key":…,"selector":…,"required":true,"default":…}
json::object to_json_object(const Key& key);

}  // namespace hearth::derived
