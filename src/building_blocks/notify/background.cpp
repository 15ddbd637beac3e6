// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/notify/background.h"

#include <utility>

namespace hearth::building_blocks {

void Background::run(Work work, std::function<void(Delivery)> done) {
  if (stopping_) return;
  thread_.start();
  const bool posted = thread_.post([this, alive = std::weak_ptr(alive_), work = std::move(work), done]() {
    Delivery made = std::unexpected(Undelivered{.why = "failed unexpectedly"});
    try {
      made = work(stopping_);
    } catch (const std::exception& thrown) {
      made = std::unexpected(Undelivered{.why = thrown.what()});
    }
    bus_.post([this, alive, done, made = std::move(made)]() mutable {
      if (!alive.expired() && !stopping_) done(std::move(made));
    });
  });
  if (!posted) done(std::unexpected(Undelivered{base::ErrorCode::full, "too many deliveries wait", true}));
}

}  // namespace hearth::building_blocks
