// SPDX-License-Identifier: Apache-2.0
// Requests to push services: one at a time for each recipient, in the order in which they were asked for. A service
// that does not answer for one recipient holds up nobody else, though all have the same host. Bus thread only.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "net/http/http_client.h"

namespace hearth::phones {

class PushRequests {
 public:
  static constexpr std::size_t kMaxOfRecipient = 16;  // under way and waiting

  // A client with bounds as below; it must outlive this.
  explicit PushRequests(net::HttpClient& http) : http_(http) {}
  // The services of browsers' makers have one host for all.
  static constexpr net::HttpBounds kBounds{.most = 32, .of_a_host = 32};

  // False if too many are under way: `done` is not called.
  [[nodiscard]] bool ask(const std::string& recipient, net::HttpRequest request, net::HttpClient::Done done);
  // Ends the recipient's requests; not called for them any more are their `done`.
  void drop(const std::string& recipient);
  void stop() { recipients_.clear(); }

 private:
  struct Waiting {
    net::HttpRequest request;
    net::HttpClient::Done done;
  };
  struct Recipient {
    std::deque<Waiting> waiting;  // the first is under way
    base::Handle asked;
  };
  void begin(const std::string& recipient);

  net::HttpClient& http_;
  std::map<std::string, Recipient, std::less<>> recipients_;
};

}  // namespace hearth::phones
