// SPDX-License-Identifier: Apache-2.0
// Keeps the memory of the process small: glibc returns most of what is freed to the system, and all of it after heavy
// work. Any thread.
#pragma once

namespace hearth::base {

// Call once, before the first thread starts. One arena for all threads, because a hub allocates little at a time and
// each further arena keeps memory of its own. Blocks of 256 KiB and more are mapped alone and unmapped when freed.
void keep_memory_small();

// Returns free memory to the system; takes milliseconds. For a thread that has finished heavy work.
void return_memory();

}  // namespace hearth::base
