// SPDX-License-Identifier: Apache-2.0
// Limits on what clients may use: the keys under `limits:` in configuration.yaml (contract, Weight, and strangers). A
// request beyond a limit fails with a message that names it, and changes nothing.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"

namespace hearth::core {

struct Limits {
  std::size_t subscriptions = 1'024;             // of one WebSocket
  std::size_t commands = 512;                    // of one WebSocket, unanswered
  std::size_t attributes_bytes = 256 * 1024;     // of one state, as JSON
  std::size_t event_bytes = 1024 * 1024;         // of one event's data, as JSON
  std::size_t states_bytes = 512 * 1024 * 1024;  // of all states, as JSON
  std::size_t entities = 250'000;                // that have a state
  std::size_t filter_entries = 10'000;           // of one list of ids, domains or the like, without duplicates
  std::size_t filter_globs = 100;                // of one filter
  std::size_t glob_length = 255;                 // bytes
  std::size_t glob_stars = 8;
  std::size_t filters_bytes = 4 * 1024 * 1024;  // of all subscriptions of one WebSocket
  std::size_t questions = 64;                   // about history, logbook and statistics, running at a time

  std::size_t tokens_per_user = 200;    // long-lived ones
  std::size_t sessions_per_user = 200;  // beyond, the least recently used one ends

  bool operator==(const Limits&) const = default;
};

// Any thread. These fail with invalid; the messages name the limit.
base::Result<void> check_attributes(std::size_t bytes, const Limits& limits);
base::Result<void> check_event_data(std::size_t bytes, const Limits& limits);
base::Result<void> check_entries(std::string_view what, std::size_t count, const Limits& limits);
base::Result<void> check_glob(std::string_view glob, const Limits& limits);

// `256 KiB`, in the largest unit that divides it.
std::string bytes_text(std::size_t bytes);

}  // namespace hearth::core
