// SPDX-License-Identifier: Apache-2.0
// Reads the sections of configuration.yaml so that the hub starts in spite of errors in one: an unknown key is ignored;
// a section with a wrong value is replaced by that of the last good start, or, without one, the value by its default.
// One thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/finding.h"
#include "app/files/last_good.h"
#include "base/config/config_reader.h"
#include "core/values/words.h"

namespace hearth::app {

// The treatment of a wrong value of a section.
struct SectionRule {
  bool refuses = false;            // keeps the hub from starting
  core::Words refusing_keys = {};  // only these do, as those of TLS
  bool whole = false;              // without a last good value the section is left out as a whole
};

class SectionReader {
 public:
  // Reads the section into values of the caller, which start anew with their defaults each time.
  using Read = std::function<void(base::ConfigReader& in)>;
  // Errors of a section.
  using Check = std::function<std::vector<base::ConfigProblem>(const base::ConfigNode& section)>;

  // `last_good`: null if there is none. All must outlive this.
  SectionReader(const LastGood* last_good, Findings& findings) : last_good_(last_good), findings_(findings) {}

  // The section as it counts, for which `read` was called last. `node`: null if the file has none.
  base::ConfigNode read(std::string_view name, const base::ConfigNode* node, const Read& read, SectionRule rule = {});
  base::ConfigNode check(std::string_view name, const base::ConfigNode& node, const Check& check,
                         SectionRule rule = {});

  // The sections without a wrong value, by name.
  SectionNodes take_good() { return std::move(good_); }
  // The sections with a wrong value.
  const std::vector<std::string>& wrong() const { return wrong_; }

 private:
  base::ConfigNode mended(std::string_view name, const base::ConfigNode& node,
                          const std::vector<base::ConfigProblem>& wrong, const Check& check, SectionRule rule);

  const LastGood* const last_good_;
  Findings& findings_;
  SectionNodes good_;
  std::vector<std::string> wrong_;
};

// The tree without these nodes of it.
base::ConfigNode without(const base::ConfigNode& tree, const std::vector<const base::ConfigNode*>& nodes);
bool holds(const base::ConfigNode& tree, const base::ConfigNode* node);

}  // namespace hearth::app
