// SPDX-License-Identifier: Apache-2.0
#include "automation/home/webhook_router.h"

#include <vector>

#include "base/log/log.h"

namespace hearth::automation {

base::Handle WebhookRouter::listen(const std::string& id, Callback callback) {
  Webhook& webhook = by_id_[id];
  if (webhook.callbacks.empty()) {
    auto added =
        webhooks_.add(id, "automation", "Automation", [this](const core::WebhookCall& call) { on_call(call); });
    if (added)
      webhook.registration = std::move(*added);
    else
      base::log_warning("automation", "a trigger gets no calls of its webhook: {}", added.error().message);
  }
  const std::uint64_t number = ++last_number_;
  base::Handle handle([this, id, number] { end(id, number); });
  webhook.callbacks.emplace(number, std::make_shared<const Callback>(std::move(callback)));
  return handle;
}

void WebhookRouter::end(const std::string& id, std::uint64_t number) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return;
  found->second.callbacks.erase(number);
  if (found->second.callbacks.empty()) by_id_.erase(found);
}

void WebhookRouter::on_call(const core::WebhookCall& call) {
  const auto found = by_id_.find(call.id);
  if (found == by_id_.end()) return;
  std::vector<std::shared_ptr<const Callback>> due;
  for (const auto& [number, callback] : found->second.callbacks) due.push_back(callback);
  for (const auto& callback : due) {
    try {
      (*callback)(call);
    } catch (const std::exception& failure) {
      base::log_error("automation", "a call of a webhook could not be handled: {}", failure.what());
    }
  }
}

}  // namespace hearth::automation
