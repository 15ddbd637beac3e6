// SPDX-License-Identifier: Apache-2.0
// Answers that confirm a change: where the home wants it so (recorder: commit_interval: 0s) they go out when the change
// is on the disk, or as 503 where it cannot get there.
#pragma once

#include "api/call.h"
#include "http/handler.h"

namespace hearth::api {

// What succeeded waits, a failure goes out at once.
void send_when_saved(const Call& call, http::Responder responder, base::Result<http::Response> response);

}  // namespace hearth::api
