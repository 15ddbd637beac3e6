// SPDX-License-Identifier: Apache-2.0
#include "api/parts.h"

namespace hearth::api {

void Parts::when_saved(Durable durable, std::size_t weight, recorder::Recorder::Done done) const {
  if (durable == Durable::recorder && saves()) return recorder->when_committed(weight, std::move(done));
  if (durable != Durable::registry || !bus) return done({});
  const auto heard = [parts = *this, weight, done = std::move(done)] {
    parts.when_journaled([parts, weight, done] { parts.when_registered(weight, done); });
  };
  // The change is made, so its confirmation is not refused for want of room.
  (void)bus->post(core::IfFull::pass, weight, heard);
}

void Parts::when_journaled(std::function<void()> then) const {
  if (!journal || !journal->has_unwritten()) return then();
  journal->when_written(std::move(then));
}

void Parts::when_registered(std::size_t weight, recorder::Recorder::Done done) const {
  const auto last = [parts = *this, weight, done = std::move(done)](base::Result<void> saved) {
    if (!parts.saves()) return done({});  // what failed is tried again, and the log says so
    if (!saved) return done(std::move(saved));
    parts.recorder->when_committed(weight, done);
  };
  // While the disk fails, nobody waits for it, unless the home wants it so.
  const bool waits = registry && (saves() || (registry->has_unsaved() && registry->failure().empty()));
  if (!waits) return last({});
  registry->flush(last);
}

}  // namespace hearth::api
