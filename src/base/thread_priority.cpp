// SPDX-License-Identifier: Apache-2.0
#include "base/thread_priority.h"

#include <sys/resource.h>
#include <unistd.h>

namespace hearth::base {

void give_way() {
  constexpr int kThreadNiceness = 10;
  ::setpriority(PRIO_PROCESS, static_cast<::id_t>(::gettid()), kThreadNiceness);
}

}  // namespace hearth::base
