// SPDX-License-Identifier: Apache-2.0
// A body without an end: server-sent events. Owned by its session; worker thread only.
//
// Queue: frames that the client has not taken wait, at most Limits::stream_frames and, after the one being sent,
// stream_bytes; beyond either the client is cut. Nobody else waits for it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "http/websocket/frame.h"

namespace hearth::http {

class Session;
struct Limits;

class EventStream {
 public:
  EventStream(Session& session, const Limits& limits, bool chunked)
      : session_(session), chunked_(chunked), limits_(limits) {}

  // Queues a frame for the next flush. False if the stream has ended or was cut because its reader is slow.
  bool queue(FramePtr frame);
  // Sends what waits, as far as the client takes it, in as few system calls as possible.
  void flush();
  // Queues and flushes each frame of the run; if nothing waits, its bytes are sent directly.
  bool send(const FrameRun& run);
  // Sends the last chunk and ends the connection.
  void end();
  // Ends the connection at once: for a reader that has lost its right to read.
  void cut();

  // Called once, when the connection ends for any reason; the stream is destroyed after it returns.
  void on_closed(std::function<void()> callback) { closed_ = std::move(callback); }

 private:
  friend class Session;

  std::string_view bytes(const Frame& frame) const { return chunked_ ? frame.chunk() : frame.payload(); }
  void closed();
  bool cut_if_slow();
  bool waiting() const { return first_ < frames_.size(); }
  bool within_limits() const;

  Session& session_;
  const bool chunked_;
  bool over_ = false;
  std::vector<FramePtr> frames_;  // those from first_ on wait
  std::size_t first_ = 0;
  const Limits& limits_;
  std::size_t sent_of_first_ = 0;
  std::size_t waiting_bytes_ = 0;
  std::function<void()> closed_;
};

}  // namespace hearth::http
