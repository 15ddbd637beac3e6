// SPDX-License-Identifier: Apache-2.0
#include "app/process_hardening.h"

#include <sys/prctl.h>

#include <cerrno>
#include <system_error>

#include "app/write_budget.h"
#include "base/log/log.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEARTH_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HEARTH_IS_SANITIZED 1
#endif
#endif

namespace hearth::app {

void harden_process() {
  static_cast<void>(written_bytes());  // opens its file
  const auto set = [](int option, unsigned long value, const char* what) {
    if (::prctl(option, value, 0UL, 0UL, 0UL) != 0)
      base::log_warning("hub", "{}: {}", what, std::system_category().message(errno));
  };
  set(PR_SET_NO_NEW_PRIVS, 1, "programs that the hub starts may get privileges");
#ifndef HEARTH_IS_SANITIZED
  set(PR_SET_DUMPABLE, 0, "other processes may read the hub's memory");
#endif
}

}  // namespace hearth::app
