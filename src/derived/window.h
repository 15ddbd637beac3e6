// SPDX-License-Identifier: Apache-2.0
// A stretch of time that templates name: two of start, end and duration. Values; any thread.
#pragma once

#include <span>

#include "base/config_reader.h"
#include "derived/engine.h"
#include "derived/plan.h"

namespace hearth::derived {

struct Window {
  base::Timestamp start, end;
};

struct WindowKeys {
  bool has_start = false, has_end = false;  // the plan's first templates, in this order
  base::Duration duration{0};               // 0: none

  // Reads the keys; the plan gets the templates.
  static WindowKeys read(base::ConfigReader& in, Plan& plan);
  int count() const { return has_start + has_end + (duration.count() > 0 ? 1 : 0); }
  // Without an end it is now. Null if a template gives no time.
  std::optional<Window> at(const Moment& now, std::span<const json::value> values) const;
};

}  // namespace hearth::derived
