// SPDX-License-Identifier: Apache-2.0
#include "http/websocket/frame.h"

#include <fmt/format.h>

namespace hearth::http {

Frame::Frame(std::string_view payload) {
  bytes_ = fmt::format("{:x}\r\n", payload.size());
  start_ = bytes_.size();
  bytes_.reserve(start_ + payload.size() + 2);
  bytes_.append(payload).append("\r\n");
}

void FrameRun::add(FramePtr frame) {
  if (frames_.size() == 1) joined_ = frames_.front()->chunk();
  if (!frames_.empty()) joined_ += frame->chunk();
  frames_.push_back(std::move(frame));
}

}  // namespace hearth::http
