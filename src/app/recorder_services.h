// SPDX-License-Identifier: Apache-2.0
// recorder.purge and recorder.purge_entities: for administrators.
#pragma once

#include <vector>

#include "core/hub.h"
#include "recorder/recorder.h"

namespace hearth::app {

// The recorder must outlive the registrations. A call is answered after the deletion.
std::vector<core::Registration> add_recorder_services(core::Hub& hub, recorder::Recorder& recorder);

}  // namespace hearth::app
