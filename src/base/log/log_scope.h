// SPDX-License-Identifier: Apache-2.0
// Says what the lines are about that this thread logs while it exists: for fields of their own in the journal and in
// JSON. A line outside of all scopes costs nothing more for it; a scope costs a few stores. One thread.
#pragma once

#include <string_view>

namespace hearth::base {

class LogScope {
 public:
  struct About {
    std::string_view entity = {};   // its id
    std::string_view context = {};  // the id of the cause that all of it has
  };

  // The texts must outlive it. An empty one is that of the scope around this.
  explicit LogScope(About about) noexcept
      : around_(innermost_),
        about_{about.entity.empty() && around_ ? around_->about_.entity : about.entity,
               about.context.empty() && around_ ? around_->about_.context : about.context} {
    innermost_ = this;
  }
  ~LogScope() { innermost_ = around_; }
  LogScope(const LogScope&) = delete;
  LogScope& operator=(const LogScope&) = delete;

  // Of this thread.
  static About current() noexcept { return innermost_ ? innermost_->about_ : About{}; }

 private:
  static inline constinit thread_local const LogScope* innermost_ = nullptr;

  const LogScope* const around_;
  const About about_;
};

}  // namespace hearth::base
