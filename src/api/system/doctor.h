// SPDX-License-Identifier: Apache-2.0
// Looks at the home and the machine that it runs on. The app implements it.
#pragma once

#include <functional>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::api {

class Doctor {
 public:
  // Gets {grade, diagnoses: [{check, grade, text, advice}]}; grade: good, warning or bad.
  using Done = std::function<void(const json::object& report)>;

  virtual ~Doctor() = default;

  // Any thread. Looks on a thread of its own, which takes a moment, and calls `done` there, once; not if the hub stops
  // meanwhile. Fails with unavailable if others wait for theirs.
  virtual base::Result<void> examine(Done done) = 0;
};

}  // namespace hearth::api
