// SPDX-License-Identifier: Apache-2.0
// The entries of one run in the journal. The head is written at each step, so it is small: large values, such as the
// list of a loop, and the parts of its trace have entries of their own, each written once. Bus thread only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "automation/home/trace.h"
#include "automation/store/keys.h"
#include "automation/store/store.h"

namespace hearth::automation {

class RunEntries {
 public:
  static constexpr std::size_t kInHead = 256;  // bytes of a value as JSON

  // The store must outlive it.
  RunEntries(Store& store, const base::Id& run);
  RunEntries(const RunEntries&) = delete;
  RunEntries& operator=(const RunEntries&) = delete;

  // Makes the next head of what these give, and writes it.
  json::value stored(const templates::Value& value);
  json::array stored(const templates::Variables& variables);
  json::object stored(Trace& trace);
  // Writes all that is new. False if it is larger than an entry may be: then the journal has nothing of the run.
  bool write(const json::object& head);
  void forget();

  // Of a run from before a restart: what its head, as the store has it, says of a value; and the parts of its trace.
  templates::Value value(const json::value& stored);
  templates::Variables variables(const json::value& stored);
  std::vector<json::object> trace_parts();

 private:
  // Distinguishes values without looking into them: a kind and an address. Values never change.
  using Identity = std::pair<std::size_t, const void*>;
  struct Apart {
    std::uint64_t number;
    templates::Value value;  // keeps the address
    std::size_t bytes;
    std::string text = {};  // until it is written
    bool written = false, used = true;
  };

  static Identity identity_of(const templates::Value& value);
  std::string key(std::uint64_t number) const { return keys::value_of_run(head_, number); }
  std::string trace_key(std::size_t part) const { return keys::trace_of_run(head_, part); }
  void remove_unused();

  Store& store_;
  const std::string head_;  // its key
  std::map<Identity, Apart> apart_;
  std::uint64_t last_number_ = 0;
  std::size_t trace_parts_ = 0, trace_bytes_ = 0;
  bool too_large_ = false;  // at some time: its trace stays in the head
};

}  // namespace hearth::automation
