// SPDX-License-Identifier: Apache-2.0
// Browsers whose people want to be told by web push: they belong to the session in which they subscribed, and end with
// it. Bus thread only.
//
// A browser that its push service does not know any more (404, 410) is removed; one whose service wants a pause (429)
// gets nothing until then. A service that does not answer, or fails, is asked once more.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/hub.h"
#include "phones/phones.h"
#include "phones/push_requests.h"
#include "phones/web_push.h"

namespace hearth::phones {

struct Browser {
  std::string id;  // of the address
  std::string user_id, token_id;
  std::string endpoint;            // of its push service
  std::string public_key, secret;  // as it gives them
  std::string name;                // for people
};

class Browsers {
 public:
  static constexpr std::size_t kMaxOfUser = 10, kMaxOpen = 16;  // messages to a browser that are not answered yet
  static constexpr base::Duration kAgain = std::chrono::seconds(5), kLongestPause = std::chrono::hours(1);

  // All must outlive this. `local`: push services may be on this machine and in its network, and speak http.
  Browsers(core::Hub& hub, PushRequests& requests, Phones::Write write, bool local);

  // Before the bus starts: those of former runs, and the hub's key.
  void restore(const std::vector<StoredRow>& rows);
  void stop();

  // Fails with invalid, full.
  base::Result<void> add(Browser browser);
  // Of this user; false if there is none.
  bool remove(const std::string& user_id, const std::string& id);
  void keep_those(const std::function<bool(const std::string& token_id)>& alive);
  std::vector<Browser> of_user(std::string_view user_id) const;
  std::vector<Browser> all() const;
  // For browsers that subscribe.
  std::string public_key();

  // Goes on by itself; what fails is logged.
  void send(const Browser& browser, std::string message);

 private:
  struct Sending {
    std::string browser_id, message;
    bool again = false;
    core::Timer timer = {};
  };
  const PushKey& key();
  void ask(std::uint64_t number);
  void answered(std::uint64_t number, const net::HttpResult& result);
  void erase(const std::string& id);
  void save(StoredRow row);

  core::Hub& hub_;
  PushRequests& requests_;
  const Phones::Write write_;
  const bool local_;
  std::optional<PushKey> key_;
  std::map<std::string, Browser, std::less<>> browsers_;         // by id
  std::map<std::string, base::SteadyTime, std::less<>> paused_;  // by id: until then
  std::map<std::uint64_t, Sending> sending_;
  std::uint64_t last_ = 0;
};

}  // namespace hearth::phones
