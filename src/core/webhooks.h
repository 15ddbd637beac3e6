// SPDX-License-Identifier: Apache-2.0
// Addresses that anybody may call without a token: whoever knows the id has the right to call. Parts of the hub
// register a handler for each. Any thread registers and calls; handlers run on the bus thread.
//
// Nobody can find an id by trying: a call is answered as soon as it is queued for the bus, and a call of an unknown id
// is queued, too, with nothing to do.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/handle.h"
#include "base/result.h"
#include "base/threads/published.h"
#include "core/bus/event_bus.h"

namespace hearth::core {

struct WebhookCall {
  std::string id;
  std::string method;  // GET, HEAD, POST or PUT
  std::vector<std::pair<std::string, std::string>> query = {};
  std::string content_type = {};  // as sent
  std::string body = {};          // anything; at most http: limits: webhook_body_size
  std::string address = {};       // the caller's
};

using WebhookHandler = std::function<void(const WebhookCall& call)>;

class Webhooks {
 public:
  // Both must outlive this.
  Webhooks(EventBus& bus, const base::Clock& clock);

  // `domain` and `name` say whose it is: webhook_received shows them, and not the id, which is a secret. Fails with
  // conflict if the id is taken. After the handle has ended on the bus thread, the handler is not called.
  base::Result<base::Handle> add(std::string id, std::string domain, std::string name, WebhookHandler handler);

  // Later fires webhook_received and calls the handler; of an unknown id does nothing. Fails with unavailable if the
  // bus is full, whatever the id.
  base::Result<void> call(WebhookCall call) const;

 private:
  struct Webhook {
    std::string domain, name;
    WebhookHandler handler;
  };
  using Table = std::map<std::string, std::shared_ptr<const Webhook>, std::less<>>;

  std::shared_ptr<const Webhook> find(std::string_view id) const;
  void run(const Webhook& webhook, const WebhookCall& call) const;
  void remove(const std::string& id);

  EventBus& bus_;
  const base::Clock& clock_;
  base::Mutex change_;  // one change of the table at a time
  base::Published<Table> webhooks_;
};

}  // namespace hearth::core
