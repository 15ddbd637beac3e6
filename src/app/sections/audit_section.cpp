// SPDX-License-Identifier: Apache-2.0
#include "app/sections/audit_section.h"

#include "app/sections/recorder_section.h"

namespace hearth::app {
namespace {

std::optional<base::Duration> parse_audit_keep(std::string_view text) {
  const auto keep = parse_keep(text);
  if (!keep || *keep == recorder::Retention::kNever) return {};
  return *keep == recorder::Retention::kForever ? audit::LogOptions::kForever : *keep;
}

}  // namespace

void read_audit(base::ConfigReader& in, audit::LogOptions& audit) {
  in.boolean("required", audit.required);
  in.parsed("keep", audit.keep, "a time such as 90d, 8w or 2y, or forever", parse_audit_keep);
}

}  // namespace hearth::app
