// SPDX-License-Identifier: Apache-2.0
// A node of a configuration file: a string, a list, a map that keeps its order, or empty. Each node knows its file,
// line and dotted key, so that an error names them: configuration.yaml:12: demo.speed: expected a number from 0 to
// 1000, found "fast" A node may also be broken: its text could not be read. Reading the node fails with that error.
//
// Immutable; any thread. To read a section, see base/config/config_reader.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace hearth::base {

class ConfigNode {
 public:
  struct Place {
    std::shared_ptr<const std::string> file;  // null if unknown
    std::size_t line = 0;                     // from 1; 0 if unknown
    std::string key;                          // demo.speed, http.trusted_proxies[2]; empty for the whole file
    std::size_t column = 0;                   // from 1, in bytes; 0 if unknown
  };
  // How a text was written.
  struct Writing {
    bool plain = false;   // without quotes: YAML may take it for a number, true or false, or null
    bool secret = false;  // by !secret: it must not be shown
  };
  struct Entry;
  using List = std::vector<ConfigNode>;
  using Map = std::vector<Entry>;  // no key occurs twice

  ConfigNode();
  explicit ConfigNode(Place place);
  ConfigNode(Place place, std::string text);
  ConfigNode(Place place, std::string text, Writing writing);
  ConfigNode(Place place, Error broken);
  ConfigNode(Place place, List list);
  ConfigNode(Place place, Map map);

  const Place& place() const { return place_; }
  bool is_empty() const { return value_.index() == 0; }
  bool is_text() const { return value_.index() == 1; }
  bool is_list() const { return value_.index() == 2; }
  bool is_map() const { return value_.index() == 3; }
  const Error* broken() const { return std::get_if<Error>(&value_); }  // null if it is not
  Writing writing() const { return writing_; }

  // Empty if the node is not a list, or not a map.
  const List& items() const;
  const Map& entries() const;
  // Null if the key is absent.
  const ConfigNode* find(std::string_view key) const;

  // Each fails with invalid; the message names file, line, key, what was expected and what was found.
  Result<std::string> text() const;
  Result<bool> boolean() const;  // true, false, yes, no, on, off
  Result<std::int64_t> integer(std::int64_t min, std::int64_t max) const;
  Result<double> number(double min, double max) const;
  Result<Duration> duration(Duration min, Duration max) const;                  // 500ms, 1s, 2m, 1h
  Result<std::uint64_t> byte_size(std::uint64_t min, std::uint64_t max) const;  // 65536, 64KiB, 16MiB, 1GiB
  // One of the options; letters of another case are taken, too.
  Result<std::string> option(std::span<const std::string_view> options) const;
  Result<std::vector<std::string>> texts() const;  // a single string is a list of one

  // Errors about this node: `file:line: key: message`, and `… expected …, found …`.
  Error error(std::string_view message) const;
  Error mismatch(std::string_view expected) const;

 private:
  std::string found() const;
  const std::string* if_text() const { return std::get_if<std::string>(&value_); }

  Place place_;
  Writing writing_;
  std::variant<std::monostate, std::string, List, Map, Error> value_;
};

struct ConfigNode::Entry {
  std::string key;
  ConfigNode value;
};

}  // namespace hearth::base
