// SPDX-License-Identifier: Apache-2.0
// The link to the hub there over its WebSocket, as the bus thread has it; the session lives on the thread `net`
// (hub_end.h). It connects at once, and again for ever after a loss. Bus thread only.
//
// Bound: while news of kMaxChanges changes or kMaxBytes wait for the bus, the hub there is not read.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "domains/entities/integration_bus.h"
#include "integrations/home_assistant/options/options.h"
#include "integrations/home_assistant/session/hub_link.h"
#include "integrations/home_assistant/session/news.h"
#include "net/reactor/bus_queue.h"
#include "net/reactor/on_net.h"
#include "net/reactor/reactor.h"

namespace hearth::integrations::home_assistant {

class HubEnd;

// News with what they count for. `Waiting` is all that has not been taken.
struct HubArrival {
  struct Waiting {
    std::atomic<std::size_t> changes{0}, bytes{0};
    std::atomic<bool> paused{false};  // the hub there is not read until some have been taken
  };
  News news;
  std::size_t changes, bytes;
};

class HubConnection final : public HubLink {
 public:
  // The news, one after the other, never within a call of this. It may destroy this.
  using Take = std::function<void(News news)>;
  static constexpr std::size_t kMaxChanges = 65'536, kMaxBytes = 64 * 1024 * 1024;
  // In one turn of the bus; then others have theirs.
  static constexpr std::size_t kChangesInATurn = 256;

  // `language`: of the home, for the names of services. The reactor and the bus must outlive this. Throws
  // std::runtime_error if the reactor takes no task.
  HubConnection(net::Reactor& reactor, domains::IntegrationBus& bus, const Options& options, std::string language,
                Take take);
  ~HubConnection() override;

  void send(std::uint64_t number, json::object command, std::chrono::milliseconds limit) override;
  void subscribe(std::uint64_t number, json::object command) override;
  void unsubscribe(std::uint64_t number) override;
  void reconnect() override;
  void ask_again() override;
  void tell_again(const std::string& entity_id) override;

 private:
  void arrived(net::BusQueue<HubArrival>::Batch batch);
  void turn();
  void turn_soon();
  void took(const HubArrival& arrival);
  void answer_unreachable(std::uint64_t number);

  domains::IntegrationBus& bus_;
  const std::shared_ptr<const Take> take_;
  const std::shared_ptr<HubArrival::Waiting> waiting_ = std::make_shared<HubArrival::Waiting>();
  std::deque<HubArrival> arrivals_;
  bool turn_waits_ = false;
  net::Life life_;
  net::BusQueue<HubArrival> queue_;
  net::OnNet<HubEnd> end_;
};

}  // namespace hearth::integrations::home_assistant
