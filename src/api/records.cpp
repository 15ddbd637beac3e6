// SPDX-License-Identifier: Apache-2.0
#include "api/records.h"

namespace hearth::api {

void Records::when_saved(Durable durable, std::size_t weight, recorder::Recorder::Done done) const {
  if (!waits(durable)) return done({});
  if (durable == Durable::recorder || !registry) return recorder->when_committed(weight, std::move(done));
  registry->flush([states = recorder, weight, done = std::move(done)](base::Result<void> saved) {
    if (!saved) return done(std::move(saved));
    states->when_committed(weight, done);
  });
}

}  // namespace hearth::api
