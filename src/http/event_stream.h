// SPDX-License-Identifier: Apache-2.0
// The body of an answer that goes on: server-sent events. Belongs to its session; worker thread only.
//
// Queue: frames that the client has not taken wait, at most Limits::stream_frames and, behind the one being sent,
// stream_bytes; past that the client is cut and nobody else waits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "http/frame.h"

namespace hearth::http {

class Session;
struct Limits;

class EventStream {
 public:
  EventStream(Session& session, const Limits& limits, bool chunked)
      : session_(session), chunked_(chunked), limits_(limits) {}

  // Queues; goes out with the next flush. False where the stream was cut for being slow, or is over.
  bool queue(FramePtr frame);
  // Sends what waits, as far as the client takes it, in as few calls as possible.
  void flush();
  // Both for each frame of the run; where nothing waits its bytes go out as they are.
  bool send(const FrameRun& run);
  // The last chunk, then the connection's end.
  void end();
  // The connection's end at once: for a reader who may no longer read.
  void cut();

  // Called once, when the connection ends for any reason; the stream is gone when it returns.
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
  std::vector<FramePtr> frames_;  // from first_ on they wait
  std::size_t first_ = 0;
  const Limits& limits_;
  std::size_t sent_of_first_ = 0;
  std::size_t waiting_bytes_ = 0;
  std::function<void()> closed_;
};

}  // namespace hearth::http
