// SPDX-License-Identifier: Apache-2.0
// The rows of which the purposes are made. Used inside purpose_table.cpp only.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "automation/purposes/purpose.h"

namespace hearth::automation::purpose_rows {

using Test = Purpose::Test;
using Change = Purpose::Change;

// Sources: domain/device_class:attribute, separated by blanks; values likewise.
struct PurposeRow {
  std::string_view name, sources, values = {};
  Test test = Test::listed;
  Change change = Change::becomes;
  std::string_view from = {}, option = {};
  std::uint32_t feature = 0;
  bool auxiliary = false, needs_value = false;
};

// Of one number: the triggers `<trigger>changed` and `<trigger>crossed_threshold`, and a condition; any may be missing.
struct NumberRow {
  std::string_view trigger, condition, sources, unit = {};
  double scale = 1;
  bool auxiliary = false, always_counts = false;
  std::string_view target = {};
};

// Of what opens and closes: the triggers `<name>opened` and `<name>closed`, the conditions `<name>is_open` and so on.
struct OpeningRow {
  std::string_view name, sources;
};

// Of what is on or off: triggers and conditions of both.
struct SwitchRow {
  std::string_view sources, on, off, is_on, is_off;
  bool auxiliary = false;
};

std::span<const SwitchRow> switch_rows();
std::span<const OpeningRow> opening_rows();
std::span<const NumberRow> number_rows();
std::span<const PurposeRow> trigger_rows();
std::span<const PurposeRow> condition_rows();

}  // namespace hearth::automation::purpose_rows
