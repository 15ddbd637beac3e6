// SPDX-License-Identifier: Apache-2.0
#include "configured/reload.h"

#include <utility>

namespace hearth::configured {

core::Registration add_reload(core::Hub& hub, std::string_view domain, std::string_view description, Reload reload) {
  core::ServiceDescription service;
  service.domain = domain;
  service.service = "reload";
  service.name = "Reload";
  service.description = description;
  service.has_target = false;
  service.administrator = true;
  return hub.services.add(service,
                          [reload = std::move(reload)](const core::ServiceCall& call, core::ServiceReply reply) {
                            reload(call.context(), std::move(reply));
                          });
}

}  // namespace hearth::configured
