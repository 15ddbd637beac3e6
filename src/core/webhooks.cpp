// SPDX-License-Identifier: Apache-2.0
#include "core/webhooks.h"

#include "base/log/log.h"

namespace hearth::core {

Webhooks::Webhooks(EventBus& bus, const base::Clock& clock)
    : bus_(bus), clock_(clock), webhooks_(std::make_shared<const Table>()) {}

base::Result<base::Handle> Webhooks::add(std::string id, std::string domain, std::string name, WebhookHandler handler) {
  base::MutexLock lock(change_);
  auto next = std::make_shared<Table>(*webhooks_.load_once());
  const auto made = std::make_shared<const Webhook>(std::move(domain), std::move(name), std::move(handler));
  if (!next->emplace(id, made).second) {
    return base::fail(base::ErrorCode::conflict, "There is a webhook with this id.");
  }
  std::function<void()> end = [this, id = std::move(id)] { remove(id); };
  webhooks_.publish(std::move(next));
  return base::Handle(std::move(end));
}

void Webhooks::remove(const std::string& id) {
  base::MutexLock lock(change_);
  auto next = std::make_shared<Table>(*webhooks_.load_once());
  next->erase(id);
  webhooks_.publish(std::move(next));
}

std::shared_ptr<const Webhooks::Webhook> Webhooks::find(std::string_view id) const {
  const auto webhooks = webhooks_.load();
  const auto found = webhooks->find(id);
  return found == webhooks->end() ? nullptr : found->second;
}

base::Result<void> Webhooks::call(WebhookCall call) const {
  const auto webhook = find(call.id);
  // A stranger's request takes no memory that others need.
  const std::size_t weight = EventBus::kSmallTask + (webhook ? call.body.size() : 0);
  return bus_.post(IfFull::fail, weight, [this, webhook, call = webhook ? std::move(call) : WebhookCall()] {
    // Removed meanwhile: objects that its handler refers to may be gone.
    if (webhook && find(call.id) == webhook) run(*webhook, call);
  });
}

void Webhooks::run(const Webhook& webhook, const WebhookCall& call) const {
  json::object data{{"domain", webhook.domain}, {"name", webhook.name}, {"method", call.method}};
  bus_.fire("webhook_received", base::to_json(data), Origin::local, Context::create(clock_.now()));
  try {
    webhook.handler(call);
  } catch (const std::exception& failure) {
    base::log_error("webhooks", "the webhook {} of {} failed: {}", webhook.name, webhook.domain, failure.what());
  }
}

}  // namespace hearth::core
