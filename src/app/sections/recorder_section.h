// SPDX-License-Identifier: Apache-2.0
// `recorder:` in configuration.yaml. Any thread.
#pragma once

#include <optional>
#include <string_view>

#include "archive/archive.h"
#include "base/config/config_reader.h"
#include "core/values/limits.h"
#include "recorder/recorder_options.h"

namespace hearth::app {

// 12h, 10d, 8w, 2y; `never` and `forever` as recorder::Retention has them. Null for other texts.
std::optional<base::Duration> parse_keep(std::string_view text);

void read_recorder(base::ConfigReader& in, const core::Limits& limits, recorder::RecorderOptions& recorder);

// `recorder: archive:`, null if there is none. Call after the above: it keeps what that records.
std::optional<archive::ArchiveOptions> read_archive(base::ConfigReader& recorder, const recorder::Retention& retention);

}  // namespace hearth::app
