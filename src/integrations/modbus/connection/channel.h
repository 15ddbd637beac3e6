// SPDX-License-Identifier: Apache-2.0
// The way to the devices of one hub: one request at a time, in order; commands go before readings. Bus thread only.
//
// A device that has not answered is left alone for 5, 10, 20 … 60 s: readings of it fail at once, so that the others
// on the line need not wait for it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "domains/entities/integration_bus.h"
#include "integrations/modbus/options/options.h"
#include "integrations/modbus/protocol/request.h"
#include "net/link/link.h"
#include "net/reactor/bus_queue.h"
#include "net/reactor/on_net.h"

namespace hearth::integrations::modbus {

class Line;

class Channel {
 public:
  static constexpr std::size_t kMaxPending = 4'096;
  static constexpr base::Duration kFirstRest = std::chrono::seconds(5), kLongestRest = std::chrono::seconds(60);

  // Called once, at once or later, on the bus thread. It must not destroy the channel.
  using Done = std::function<void(const Answer& answer)>;

  class Events {
   public:
    virtual ~Events() = default;
    virtual void on_connected() = 0;
    // An attempt has failed, or the connection is lost; it is tried again.
    virtual void on_lost(const net::Failure& why) = 0;
  };

  // Begins to connect. All must outlive this. Throws std::runtime_error if the reactor takes no task.
  Channel(net::Reactor& reactor, const domains::IntegrationBus& bus, const base::Clock& clock, const HubOptions& hub,
          Events& events);
  ~Channel();

  // A reading, which waits its turn.
  void read(Request request, Done done);
  // A command, or a reading after one: before all readings that wait.
  void command(Request request, Done done);
  // Ends the connection; requests fail until `resume`.
  void stop();
  // Connects anew.
  void resume();

  std::uint64_t request_count() const { return requests_; }
  std::uint64_t failure_count() const { return failures_; }

 private:
  friend class Line;
  struct Arrival {
    enum class Kind { connected, answer, lost };
    Kind kind;
    std::uint64_t id = 0;
    Answer answer = {};
    net::Failure why = {};
  };
  struct Pending {
    std::uint8_t unit;
    Done done;
  };
  struct Rest {
    base::SteadyTime until;
    base::Duration length;
  };

  void submit(Request request, Done done, bool first);
  void deliver(net::BusQueue<Arrival>::Batch batch);
  void answered(Arrival& arrival);

  const base::Clock& clock_;
  Events& events_;
  std::uint64_t last_id_ = 0, requests_ = 0, failures_ = 0;
  std::unordered_map<std::uint64_t, Pending> pending_;
  std::map<std::uint8_t, Rest> resting_;  // by unit
  net::BusQueue<Arrival> arrivals_;
  net::OnNet<Line> line_;
};

}  // namespace hearth::integrations::modbus
