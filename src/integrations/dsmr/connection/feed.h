// SPDX-License-Identifier: Apache-2.0
// The telegrams of one meter, over TCP or from a serial device, as the bus thread gets them: at most one a second, the
// newest. Bus thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "domains/entities/integration_bus.h"
#include "net/link/link.h"
#include "net/reactor/bus_queue.h"
#include "net/reactor/on_net.h"

namespace hearth::integrations::dsmr {

class FeedEnd;

struct FeedOptions {
  std::string host;
  std::uint16_t port = 0;
  std::string device = {};  // instead of the two
  bool slow = false;        // DSMR 2.2: 9600 baud, 7 bits, even parity; otherwise 115200 and 8 bits

  // For people, and the same for the same feed: "meter.local:2001", "/dev/ttyUSB0".
  std::string str() const;
};

class Feed {
 public:
  static constexpr std::chrono::seconds kSilence{60};
  static constexpr std::chrono::milliseconds kShortestPause{1'000};
  static constexpr std::chrono::seconds kPauseOfWrong{60};
  // Beyond, the connection is cut. Meters send 1 to 2 KiB.
  static constexpr std::size_t kMaxBytesPerSecond = 256 * 1024;

  class Events {
   public:
    virtual ~Events() = default;
    virtual void on_connected() = 0;
    // With a right checksum.
    virtual void on_telegram(const std::string& text) = 0;
    // A telegram was wrong: the first of a connection, and then at most one in kPauseOfWrong.
    virtual void on_wrong(const std::string& why) = 0;
    // An attempt has failed, or the connection is lost; it is tried again.
    virtual void on_lost(const net::Failure& why) = 0;
  };

  // Begins to connect. All must outlive this. Throws std::runtime_error if the reactor takes no task.
  Feed(net::Reactor& reactor, const domains::IntegrationBus& bus, FeedOptions options, Events& events);
  ~Feed();

  // Nothing more happens until retry_now.
  void stop();
  void retry_now();

 private:
  friend class FeedEnd;
  struct Arrival {
    enum class Kind { connected, telegram, wrong, lost };
    Kind kind;
    std::string text;
    net::Failure why = {};
  };

  void deliver(net::BusQueue<Arrival>::Batch batch);

  Events& events_;
  bool stopped_ = false;
  net::Life life_;
  net::BusQueue<Arrival> arrivals_;
  net::OnNet<FeedEnd> end_;
};

}  // namespace hearth::integrations::dsmr
