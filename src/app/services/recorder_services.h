// SPDX-License-Identifier: Apache-2.0
// recorder.purge, recorder.purge_entities and recorder.import_statistics: for administrators.
#pragma once

#include <vector>

#include "core/hub.h"
#include "recorder/history.h"
#include "recorder/history/imported_statistics.h"
#include "recorder/recorder.h"

namespace hearth::app {

// All must outlive the registrations. A call is answered after the work is done. `imported` is used on the thread of
// `history`.
std::vector<core::Registration> add_recorder_services(core::Hub& hub, recorder::Recorder& recorder,
                                                      recorder::History& history,
                                                      recorder::ImportedStatistics& imported);

}  // namespace hearth::app
