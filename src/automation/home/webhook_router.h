// SPDX-License-Identifier: Apache-2.0
// Passes the calls of a webhook to all triggers that name it. Bus thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/handle.h"
#include "core/webhooks.h"

namespace hearth::automation {

class WebhookRouter {
 public:
  using Callback = std::function<void(const core::WebhookCall& call)>;

  explicit WebhookRouter(core::Webhooks& webhooks) : webhooks_(webhooks) {}
  WebhookRouter(const WebhookRouter&) = delete;
  WebhookRouter& operator=(const WebhookRouter&) = delete;

  // If another part of the hub has the id, it gets the calls, and the log says so.
  base::Handle listen(const std::string& id, Callback callback);

 private:
  struct Webhook {
    base::Handle registration;
    std::map<std::uint64_t, std::shared_ptr<const Callback>> callbacks;
  };
  void end(const std::string& id, std::uint64_t number);
  void on_call(const core::WebhookCall& call);

  core::Webhooks& webhooks_;
  std::map<std::string, Webhook> by_id_;
  std::uint64_t last_number_ = 0;
};

}  // namespace hearth::automation
