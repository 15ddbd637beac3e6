// SPDX-License-Identifier: Apache-2.0
// Sends the past at the start of a stream, in as many events as needed and as fast as the client reads them; the
// present follows without a gap.
//
// The worker's thread, except where noted. Events that happen while the past is being sent wait, at most the limits
// stream_frames and stream_bytes; beyond them the client is cut.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/gateway/command.h"
#include "api/gateway/connection.h"
#include "recorder/history.h"

namespace hearth::api {

class Past final : public std::enable_shared_from_this<Past> {
 public:
  // Makes the next event of what was; leaves it empty if there is nothing to send yet. Returns whether there is more.
  // History's thread.
  using Make = std::function<base::Result<bool>(recorder::HistoryReader& reader, std::string& event)>;

  // `weight`: about how many bytes `make` keeps alive. `nothing`: the last event if the last one made is empty, or
  // making it fails. REQUIRES: there is history.
  Past(const CommandCall& call, std::size_t weight, Make make, std::string nothing);

  // Once. The past then is all that was written before this call. Fails with unavailable if the bus is full.
  base::Result<void> begin(const core::View& home);
  // Instead of begin: nothing is told of what was. Any thread.
  void give_up() { hand_over({}, false); }
  // The subscription is over: nothing more is sent.
  void end() { connection_ = nullptr; }
  bool done() const { return done_; }
  // Sends an event of what happens, after what was.
  void then(std::string event, http::WebSocket& socket);

 private:
  class Turn;

  void take_place();
  void ask();
  void ask(const std::shared_ptr<Turn>& turn);
  void hand_over(std::string event, bool more);
  void arrived(std::string event, bool more);

  Connection* connection_;  // null after the subscription has ended
  recorder::History& history_;
  recorder::QuestionPlaces::PlacePtr place_;
  const std::weak_ptr<boost::asio::io_context> io_;
  const std::int64_t id_;
  const std::size_t weight_;
  const Make make_;
  const std::string nothing_;
  bool done_ = false;
  std::vector<std::string> early_;  // what happened before this was done
  std::size_t early_bytes_ = 0;
};

}  // namespace hearth::api
