// SPDX-License-Identifier: Apache-2.0
// The services persistent_notification.*, and notify.persistent_notification: notes for people that stay until somebody
// dismisses them, also after a restart. They are a collection of the registry (core/notification.h); clients read them
// there. At most kMost: one more takes the place of the oldest.
//
// Bus thread, except construction and destruction, which need the bus stopped or not started.
#pragma once

#include <string>
#include <vector>

#include "core/hub.h"

namespace hearth::domains {

class Notifications {
 public:
  static constexpr std::size_t kMost = 100;
  static constexpr std::size_t kMaxMessage = 8'192, kMaxText = 255;  // characters of a message; of a title, an id

  // Must outlive this.
  explicit Notifications(core::Hub& hub);

  struct Note {
    std::string id = {};  // empty: a new one
    std::string title = {}, message = {};
    std::string user_id = {};  // whose it is; empty: everybody's
  };
  // Adds the note, or replaces the one of that id. Fails with invalid.
  base::Result<void> put(const Note& note, const core::Context& context);

 private:
  base::Result<void> create(const core::ServiceCall& call);
  base::Result<void> dismiss(const core::ServiceCall& call);
  base::Result<void> dismiss_all(const core::ServiceCall& call);
  base::Result<void> mark_read(const core::ServiceCall& call);

  core::Hub& hub_;
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::domains
