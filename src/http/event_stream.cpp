// SPDX-License-Identifier: Apache-2.0
#include "http/event_stream.h"

#include "base/log/log.h"
#include "http/messages/limits.h"
#include "http/session.h"
#include "http/worker.h"

namespace hearth::http {

bool EventStream::within_limits() const {
  if (!waiting()) return true;
  const std::size_t being_sent = bytes(*frames_[first_]).size() - sent_of_first_;
  return frames_.size() - first_ <= limits_.stream_frames && waiting_bytes_ - being_sent <= limits_.stream_bytes;
}

bool EventStream::queue(FramePtr frame) {
  if (over_) return false;
  waiting_bytes_ += bytes(*frame).size();
  frames_.push_back(std::move(frame));
  if (within_limits()) return true;
  // Bytes that the kernel accepts now do not count as waiting.
  flush();
  return !over_ && !cut_if_slow();
}

bool EventStream::send(const FrameRun& run) {
  if (waiting() || !chunked_ || !session_.writable()) {
    for (const FramePtr& frame : run.frames()) {
      if (!queue(frame)) return false;
    }
    flush();
    return !over_;
  }
  if (over_) return false;
  std::size_t sent = session_.write_some(run.chunks());
  if (over_) return false;
  if (sent == run.chunks().size()) return true;
  for (const FramePtr& frame : run.frames()) {
    const std::size_t size = frame->chunk().size();
    if (sent >= size) {
      sent -= size;
      continue;
    }
    if (frames_.empty()) sent_of_first_ = sent;
    waiting_bytes_ += size - sent;
    frames_.push_back(frame);
    sent = 0;
  }
  if (cut_if_slow()) return false;
  session_.wait_writable();
  return true;
}

bool EventStream::cut_if_slow() {
  if (within_limits()) return false;
  base::log_warning("http", "cutting a stream to {}: it reads too slowly, {} frames wait", session_.peer_text(),
                    frames_.size() - first_);
  cut();
  return true;
}

void EventStream::flush() {
  std::string& out = session_.worker().scratch();
  while (!over_ && waiting() && session_.writable()) {
    constexpr std::size_t kPiece = 256 * 1024;
    out.clear();
    for (std::size_t i = first_; i < frames_.size() && out.size() < kPiece; ++i) {
      out += i == first_ ? bytes(*frames_[i]).substr(sent_of_first_) : bytes(*frames_[i]);
    }
    std::size_t sent = session_.write_some(out);
    const bool full = sent < out.size();
    waiting_bytes_ -= sent;
    while (sent > 0) {
      const std::size_t left = bytes(*frames_[first_]).size() - sent_of_first_;
      if (sent < left) {
        sent_of_first_ += sent;
        break;
      }
      sent -= left;
      sent_of_first_ = 0;
      frames_[first_++].reset();
    }
    if (full) break;
  }
  if (!waiting()) {
    frames_.clear();
    first_ = 0;
    if (frames_.capacity() > 64) frames_.shrink_to_fit();
  } else if (first_ > 1024) {
    frames_.erase(frames_.begin(), frames_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
  if (!over_ && waiting()) session_.wait_writable();
}

void EventStream::end() {
  if (over_) return;
  flush();
  if (over_) return;
  over_ = true;
  // A reader that has not even taken what waits gets no last chunk.
  if (!waiting() && session_.writable()) session_.write_some(chunked_ ? "0\r\n\r\n" : "");
  session_.close();
}

void EventStream::cut() {
  over_ = true;
  session_.close();
}

void EventStream::closed() {
  over_ = true;
  if (const auto callback = std::exchange(closed_, nullptr)) callback();
}

}  // namespace hearth::http
