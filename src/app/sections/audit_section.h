// SPDX-License-Identifier: Apache-2.0
// Reads the section `audit`: what the audit log is required for, and how long it is kept.
#pragma once

#include "audit/log.h"
#include "base/config/config_reader.h"

namespace hearth::app {

void read_audit(base::ConfigReader& in, audit::LogOptions& audit);

}  // namespace hearth::app
