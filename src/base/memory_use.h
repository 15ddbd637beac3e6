// SPDX-License-Identifier: Apache-2.0
// Keeps the process small: glibc keeps little of what is freed, and none after heavy work. Any thread.
#pragma once

namespace hearth::base {

// Call once, before the first thread starts. One arena for all threads, because a hub allocates little at a time and
// each further arena keeps memory of its own. Blocks of 256 KiB and more are mapped alone and unmapped when freed.
void keep_memory_small();

// Returns free memory to the system; takes milliseconds. For a thread that has finished heavy work.
void return_memory();

}  // namespace hearth::base
