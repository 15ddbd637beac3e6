// SPDX-License-Identifier: Apache-2.0
// A group that is a service: `notify.family` sends its message to each of several notify services or entities. Bus
// thread only.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/services/service_registry.h"
#include "domains/entities/helper.h"

namespace hearth::domains {

class NotifyGroup final : public Helper {
 public:
  // The field that such a group has in place of entities: objects of `service` and perhaps `data`.
  static constexpr std::string_view kServices = "services";

  using Helper::Helper;

  // Fails with conflict if there is such a service already.
  base::Result<void> add(EntityTable& entities) override;
  void apply(const core::Item& item, EntityTable& entities) override;
  std::string_view entity_id() const override { return {}; }

 private:
  using UnderWay = std::set<base::Id>;  // contexts of calls

  std::string service_name() const;
  void send(const core::ServiceCall& call, core::ServiceReply reply);
  // The call of one member; null, which the log says, if there is nothing of that name.
  std::optional<core::ServiceRequest> request_of(const json::object& member, const core::ServiceCall& call) const;

  core::Registration registration_;
  const std::shared_ptr<UnderWay> under_way_ = std::make_shared<UnderWay>();
};

}  // namespace hearth::domains
