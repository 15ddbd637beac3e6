// SPDX-License-Identifier: Apache-2.0
// Takes from the process what a hub never needs.
#pragma once

namespace hearth::app {

// Programs that it starts get no more privileges than it has (PR_SET_NO_NEW_PRIVS), and other processes of its user
// read neither its memory nor a dump of it (PR_SET_DUMPABLE), except in builds with sanitizers, whose leak check reads
// it. /proc/self/io cannot be opened afterwards. At the start, before other threads.
void harden_process();

}  // namespace hearth::app
