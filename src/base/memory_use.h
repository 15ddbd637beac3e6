// SPDX-License-Identifier: Apache-2.0
// How the process deals with memory that it has used: what glibc keeps for later is little, and goes back when big work
// is done. Any thread.
#pragma once

namespace hearth::base {

// Once, before the first thread. One arena for all threads, as a hub allocates little at a time, and each further arena
// keeps memory of its own. Blocks of a quarter of a MiB and more stand alone and go back when they are freed.
void keep_memory_small();

// Gives back what is free; milliseconds. For a thread that has ended big work.
void return_memory();

}  // namespace hearth::base
