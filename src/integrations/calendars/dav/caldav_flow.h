// SPDX-License-Identifier: Apache-2.0
// Adds an account of a CalDAV server, or gives one another password, after the hub has found its calendars. Bus thread
// only.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "domains/connection_flow.h"
#include "integrations/calendars/dav/account.h"

namespace hearth::integrations::calendars {

class CaldavFlow final : public domains::ConnectionFlow {
 public:
  // REQUIRES: the home has an HTTP client.
  explicit CaldavFlow(const domains::FlowHome& home) : home_(home) {}
  // Likewise. Address and user stay as they are: they tell the account.
  CaldavFlow(const domains::FlowHome& home, domains::ConnectionChange change)
      : home_(home), change_(std::move(change)) {}

  void begin(Reply reply) override;
  void submit(const json::object& fields, Reply reply) override;

 private:
  domains::FlowForm form(std::map<std::string, core::ConnectionError> errors = {}) const;
  void answer(domains::FlowStep step);

  const domains::FlowHome home_;
  const std::optional<domains::ConnectionChange> change_;  // null: a new account
  std::unique_ptr<Account> account_;
  domains::FlowResult made_;
  Reply reply_;
  core::Timer later_;
};

}  // namespace hearth::integrations::calendars
