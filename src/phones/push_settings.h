// SPDX-License-Identifier: Apache-2.0
// The section mobile_app of the configuration. A value.
#pragma once

namespace hearth::phones {

struct PushSettings {
  bool push = false;            // messages may go to apps by the servers of their makers
  bool local_services = false;  // push services may be on this machine or in its network, and speak http

  bool operator==(const PushSettings&) const = default;
};

}  // namespace hearth::phones
