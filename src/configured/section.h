// SPDX-License-Identifier: Apache-2.0
// The plans of one kind, as the files of the configuration describe them, and their faults. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "configured/fault.h"

namespace hearth::configured {

// Beside the plans themselves.
struct Findings {
  std::vector<std::string> faults;  // a line or more for each part that is no plan
  std::vector<std::string> warnings;
  bool complete = true;  // all plans are known: no file or section is broken

  // Notes a part that cannot be read, and may hold plans.
  void lose(std::string error) {
    complete = false;
    faults.push_back(std::move(error));
  }
};

template <class Plan>
struct Section : Findings {
  std::vector<Plan> plans;  // in the order of the files
};

// Logs what the findings say, as `log`, and returns their faults.
std::vector<Fault> report(const Findings& findings, std::string_view log);

// Every error: of the findings, and of the plans in the lists, which are values or pointers.
template <class First, class... Rest>
std::vector<std::string> errors_of(const Findings& findings, const First& first, const Rest&... rest) {
  std::vector<std::string> errors = findings.faults;
  const auto add = [&](const auto& plan) {
    if (!plan.error.empty()) errors.push_back(plan.error);
  };
  const auto add_all = [&](const auto& list) {
    for (const auto& each : list) {
      if constexpr (requires { *each; })
        add(*each);
      else
        add(each);
    }
  };
  add_all(first);
  (add_all(rest), ...);
  return errors;
}

template <class Plan>
std::vector<std::string> errors_of(const Section<Plan>& section) {
  return errors_of(section, section.plans);
}

}  // namespace hearth::configured
