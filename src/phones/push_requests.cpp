// SPDX-License-Identifier: Apache-2.0
#include "phones/push_requests.h"

namespace hearth::phones {

bool PushRequests::ask(const std::string& recipient, net::HttpRequest request, net::HttpClient::Done done) {
  std::deque<Waiting>& waiting = recipients_[recipient].waiting;
  if (waiting.size() >= kMaxOfRecipient) return false;
  waiting.push_back({std::move(request), std::move(done)});
  if (waiting.size() == 1) begin(recipient);
  return true;
}

void PushRequests::drop(const std::string& recipient) {
  recipients_.erase(recipient);
}

void PushRequests::begin(const std::string& recipient) {
  Recipient& now = recipients_.at(recipient);
  now.asked = http_.ask(std::move(now.waiting.front().request), [this, recipient](net::HttpResult result) {
    const auto found = recipients_.find(recipient);
    if (found == recipients_.end()) return;
    const base::Handle ended = std::move(found->second.asked);
    auto done = std::move(found->second.waiting.front().done);
    found->second.waiting.pop_front();
    if (found->second.waiting.empty())
      recipients_.erase(found);
    else
      begin(recipient);
    done(std::move(result));
  });
}

}  // namespace hearth::phones
