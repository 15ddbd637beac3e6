// SPDX-License-Identifier: Apache-2.0
// What remembers, as handlers see it. Null if the hub has none, as in tests: then there is no history to ask for, and
// no backup.
#pragma once

#include "api/endpoint.h"
#include "backup/backups.h"
#include "recorder/history.h"
#include "recorder/recorder.h"
#include "recorder/registry_store.h"

namespace hearth::api {

struct Records {
  recorder::Recorder* recorder = nullptr;
  recorder::History* history = nullptr;
  recorder::RegistryStore* registry = nullptr;
  backup::Backups* backups = nullptr;

  // Whether the answer that confirms such a change waits for the disk.
  bool waits(Durable durable) const { return durable != Durable::no && recorder && recorder->immediate(); }
  // Any thread. Calls `done` after the changes so far are on the disk or have failed, on a thread that must not be held
  // up; at once if nothing waits. `weight`: about how many bytes `done` keeps alive.
  void when_saved(Durable durable, std::size_t weight, recorder::Recorder::Done done) const;
};

}  // namespace hearth::api
