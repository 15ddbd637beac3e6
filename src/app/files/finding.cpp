// SPDX-License-Identifier: Apache-2.0
#include "app/files/finding.h"

#include <algorithm>

#include "base/log/log.h"

namespace hearth::app {

std::string text_of(const Finding& finding) {
  switch (finding.instead) {
    case Finding::Instead::last_good:
      return finding.message + " (in force is what was there at the last good start)";
    case Finding::Instead::standard:
      return finding.message + " (in force is the default)";
    case Finding::Instead::none:
      break;
  }
  return finding.message;
}

std::string texts_of(const Findings& findings, Finding::Kind least) {
  std::string lines;
  for (const Finding& each : findings) {
    if (each.kind >= least) lines += (lines.empty() ? "" : "\n") + each.message;
  }
  return lines;
}

bool has(const Findings& findings, Finding::Kind least) {
  return std::ranges::any_of(findings, [&](const Finding& each) { return each.kind >= least; });
}

void log(const Findings& findings) {
  for (const Finding& each : findings) {
    switch (each.kind) {
      case Finding::Kind::note:
        base::log_info("config", "{}", text_of(each));
        break;
      case Finding::Kind::left_out:
      case Finding::Kind::wrong:
        base::log_warning("config", "{}", text_of(each));
        break;
      case Finding::Kind::refused:
        base::log_error("config", "{}", text_of(each));
        break;
    }
  }
}

}  // namespace hearth::app
