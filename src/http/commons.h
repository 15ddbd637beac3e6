// SPDX-License-Identifier: Apache-2.0
// What the workers of a server have in common. Each part says who may call it; the server owns it.
#pragma once

#include "http/complaints.h"

namespace hearth::http {

struct Commons {
  Complaints about_proxies;  // those that are not trusted
};

}  // namespace hearth::http
