// SPDX-License-Identifier: Apache-2.0
// How eager a thread is for the processor.
#pragma once

namespace hearth::base {

// Other threads get most of the processor while they want it: for work that takes seconds, beside that of the home. Of
// this thread only, and of those that it starts. No effect where the system does not allow it.
void give_way();

}  // namespace hearth::base
