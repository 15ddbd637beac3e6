// SPDX-License-Identifier: Apache-2.0
// What remembers, as handlers see it. Null where the hub has none, as in tests: then there is no history to ask for,
// and no backup.
#pragma once

#include "backup/backups.h"
#include "recorder/history.h"
#include "recorder/recorder.h"

namespace hearth::api {

struct Records {
  recorder::Recorder* recorder = nullptr;
  recorder::History* history = nullptr;
  backup::Backups* backups = nullptr;

  // Whether answers that confirm a change wait until it is on the disk.
  bool wait_for_disk() const { return recorder && recorder->immediate(); }
};

}  // namespace hearth::api
