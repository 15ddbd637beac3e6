// SPDX-License-Identifier: Apache-2.0
// Receives the body of a request as it comes, for bodies that are too large for memory. Handler::check sets it; the
// handler finds it in the request once the body is complete, or after the sink has refused a piece. It is destroyed
// with the request, at the latest when the client has gone.
#pragma once

#include <functional>
#include <string>

namespace hearth::http {

class BodySink {
 public:
  virtual ~BodySink() = default;

  // The worker's thread; a piece of about kPiece bytes, the last one shorter. Nothing more is read until `ready` is
  // called, once, from any thread: with true for the next piece, with false if no more is wanted. If it is destroyed
  // without being called, that counts as false.
  virtual void write(std::string piece, std::move_only_function<void(bool)> ready) = 0;

  static constexpr std::size_t kPiece = 256 * 1024;
};

}  // namespace hearth::http
