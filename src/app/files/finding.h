// SPDX-License-Identifier: Apache-2.0
// The findings of reading the configuration: words of other hubs, unknown words, wrong values and unreadable files,
// each with the value that applies instead.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hearth::app {

struct Finding {
  enum class Kind {
    note,      // a word of another hub that is built in here, or taken as one of ours
    left_out,  // a word that nobody here knows, or that this hub has not; all else counts
    wrong,     // a wrong value, or a file that cannot be read
    refused,   // a wrong value that could open the home: the hub does not start
  };
  // In force in place of what is wrong.
  enum class Instead { none, last_good, standard };

  Kind kind = Kind::note;
  std::size_t line = 0;  // for the order
  std::string message;   // configuration.yaml:12: demo.speed: expected a number from 0 to 1000, found "fast"
  Instead instead = Instead::none;
};

using Findings = std::vector<Finding>;

// The message, and what counts instead.
std::string text_of(const Finding& finding);
// The messages of that kind or graver, a line each; empty if there are none.
std::string texts_of(const Findings& findings, Finding::Kind least);
bool has(const Findings& findings, Finding::Kind least);
// Each into the log, by its gravity.
void log(const Findings& findings);

}  // namespace hearth::app
