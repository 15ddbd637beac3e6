// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/media/stream_pipe.h"

#include <utility>

namespace hearth::integrations::home_assistant {
namespace {

class RestOfPipe final : public core::OtherHub::Stream {
 public:
  explicit RestOfPipe(std::shared_ptr<StreamPipe> pipe) : pipe_(std::move(pipe)) {}
  ~RestOfPipe() override { pipe_->close(); }
  void next(std::function<void(std::optional<std::string>)> ready) override { pipe_->next(std::move(ready)); }

 private:
  const std::shared_ptr<StreamPipe> pipe_;
};

}  // namespace

std::unique_ptr<core::OtherHub::Stream> rest_of(std::shared_ptr<StreamPipe> pipe) {
  return std::make_unique<RestOfPipe>(std::move(pipe));
}

void StreamPipe::set_wake(std::function<void()> wake) {
  const base::MutexLock lock(mutex_);
  wake_ = std::move(wake);
}

bool StreamPipe::put(std::string_view bytes) {
  std::function<void(std::optional<std::string>)> ready;
  std::string all;
  {
    const base::MutexLock lock(mutex_);
    waiting_.append(bytes);
    if (!ready_) {
      full_ = waiting_.size() >= kMost;
      return !full_;
    }
    ready = std::exchange(ready_, nullptr);
    all = std::exchange(waiting_, {});
  }
  ready(std::move(all));
  return true;
}

void StreamPipe::end() {
  std::function<void(std::optional<std::string>)> ready;
  {
    const base::MutexLock lock(mutex_);
    over_ = true;
    ready = std::exchange(ready_, nullptr);
  }
  if (ready) ready({});
}

bool StreamPipe::closed() const {
  const base::MutexLock lock(mutex_);
  return closed_;
}

std::string StreamPipe::take() {
  const base::MutexLock lock(mutex_);
  if (std::exchange(full_, false) && wake_) wake_();
  return std::exchange(waiting_, {});
}

void StreamPipe::next(std::function<void(std::optional<std::string>)> ready) {
  std::optional<std::string> bytes;
  {
    const base::MutexLock lock(mutex_);
    if (waiting_.empty() && !over_) {
      ready_ = std::move(ready);
      return;
    }
    if (!waiting_.empty()) bytes = std::exchange(waiting_, {});
    if (std::exchange(full_, false) && wake_) wake_();
  }
  ready(std::move(bytes));
}

void StreamPipe::close() {
  const base::MutexLock lock(mutex_);
  closed_ = true;
  ready_ = nullptr;
  if (wake_) wake_();
}

}  // namespace hearth::integrations::home_assistant
