// SPDX-License-Identifier: Apache-2.0
// Carries a stream from the thread `net`, where it comes from the hub there, to the client who watches it. Bound: while
// kMost bytes wait, the hub there is not read. Any thread; one on each side.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "core/services/other_hub.h"

namespace hearth::integrations::home_assistant {

class StreamPipe {
 public:
  static constexpr std::size_t kMost = 1024 * 1024;

  // The side of the hub there. `wake` is called when there is room again, or the client has gone; it must not wait.
  // Null: it is called no more.
  void set_wake(std::function<void()> wake);
  // False if no more should come until there is room.
  bool put(std::string_view bytes);
  // The stream is over.
  void end();
  bool closed() const;  // the client has gone

  // The client's.
  std::string take();
  void next(std::function<void(std::optional<std::string>)> ready);
  void close();

 private:
  mutable base::Mutex mutex_;
  std::string waiting_ __attribute__((guarded_by(mutex_)));
  std::function<void(std::optional<std::string>)> ready_ __attribute__((guarded_by(mutex_)));
  std::function<void()> wake_ __attribute__((guarded_by(mutex_)));
  bool full_ __attribute__((guarded_by(mutex_))) = false;
  bool over_ __attribute__((guarded_by(mutex_))) = false;
  bool closed_ __attribute__((guarded_by(mutex_))) = false;
};

// The rest of the stream, for the client.
std::unique_ptr<core::OtherHub::Stream> rest_of(std::shared_ptr<StreamPipe> pipe);

}  // namespace hearth::integrations::home_assistant
