// SPDX-License-Identifier: Apache-2.0
#include "api/records.h"

namespace hearth::api {

void Records::when_saved(Durable durable, std::size_t weight, recorder::Recorder::Done done) const {
  if (durable != Durable::registry || !bus) return when_on_disk(durable, weight, std::move(done));
  const auto heard = [records = *this, durable, weight, done = std::move(done)] {
    records.when_on_disk(durable, weight, done);
  };
  // The change is made, so its confirmation is not refused for want of room.
  (void)bus->post(core::IfFull::pass, weight, heard);
}

void Records::when_on_disk(Durable durable, std::size_t weight, recorder::Recorder::Done done) const {
  if (durable == Durable::no || !saves()) return done({});
  if (durable == Durable::recorder || !registry) return recorder->when_committed(weight, std::move(done));
  registry->flush([states = recorder, weight, done = std::move(done)](base::Result<void> saved) {
    if (!saved) return done(std::move(saved));
    states->when_committed(weight, done);
  });
}

}  // namespace hearth::api
