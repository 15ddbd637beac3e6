// SPDX-License-Identifier: Apache-2.0
// The sections `http: limits:` and `limits:` of configuration.yaml. Any thread.
#pragma once

#include "base/config/config_reader.h"
#include "core/values/limits.h"
#include "http/messages/limits.h"

namespace hearth::app {

void read_limits(base::ConfigReader& in, http::Limits& limits);
void read_limits(base::ConfigReader& in, core::Limits& limits);

}  // namespace hearth::app
