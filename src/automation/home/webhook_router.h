// SPDX-License-Identifier: Apache-2.0
// Hands the calls of a webhook to all triggers that name it. Bus thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "core/webhooks.h"

namespace hearth::automation {

class WebhookRouter {
 public:
  using Callback = std::function<void(const core::WebhookCall& call)>;

  // Ends the listening when destroyed. Move-only.
  class Listening {
   public:
    Listening() = default;
    Listening(Listening&& other) noexcept
        : router_(std::exchange(other.router_, nullptr)), id_(std::move(other.id_)), number_(other.number_) {}
    Listening& operator=(Listening&& other) noexcept {
      std::swap(router_, other.router_);
      std::swap(id_, other.id_);
      std::swap(number_, other.number_);
      return *this;
    }
    ~Listening() {
      if (router_) router_->end(*this);
    }

   private:
    friend class WebhookRouter;
    WebhookRouter* router_ = nullptr;
    std::string id_;
    std::uint64_t number_ = 0;
  };

  explicit WebhookRouter(core::Webhooks& webhooks) : webhooks_(webhooks) {}
  WebhookRouter(const WebhookRouter&) = delete;
  WebhookRouter& operator=(const WebhookRouter&) = delete;

  // If another part of the hub has the id, it gets the calls, and the log says so.
  [[nodiscard]] Listening listen(const std::string& id, Callback callback);

 private:
  struct Webhook {
    core::WebhookRegistration registration;
    std::map<std::uint64_t, std::shared_ptr<const Callback>> callbacks;
  };
  void end(const Listening& listening);
  void on_call(const core::WebhookCall& call);

  core::Webhooks& webhooks_;
  std::map<std::string, Webhook> by_id_;
  std::uint64_t last_number_ = 0;
};

}  // namespace hearth::automation
