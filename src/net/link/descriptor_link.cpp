// SPDX-License-Identifier: Apache-2.0
#include "net/link/descriptor_link.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/log/guarded.h"

namespace hearth::net {

DescriptorLink::DescriptorLink(Reactor& reactor, Target target, std::string name, Handler& handler)
    : reactor_(reactor),
      target_(std::move(target)),
      name_(std::move(name)),
      handler_(handler),
      backoff_(Pauses{}),
      timer_(reactor) {
  timer_.start({}, [this] { begin(); });
}

void DescriptorLink::begin() {
  state_ = State::connecting;
  open();
}

void DescriptorLink::opened(int descriptor) {
  descriptor_.emplace(reactor_.io().get_executor(), descriptor);
  state_ = State::connected;
  paused_ = waits_ = false;
  const Life::Watch watch = life_.watch();
  base::run_guarded("net", name_, [this] { handler_.on_connected(); });
  if (!watch.over()) wait_to_read();
}

void DescriptorLink::wait_to_read() {
  if (!descriptor_ || paused_ || std::exchange(waits_, true)) return;
  descriptor_->async_wait(boost::asio::posix::descriptor_base::wait_read,
                          life_.guard([this](const boost::system::error_code&) {
                            waits_ = false;
                            read();
                          }));
}

void DescriptorLink::read() {
  const auto buffer = reactor_.read_buffer();
  const ssize_t got = ::read(descriptor_->native_handle(), buffer.data(), buffer.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return wait_to_read();
  if (got < 0) return lose_with_errno("cannot be read");
  if (got == 0) return lose({Reason::cannot_connect, fmt::format("{} is gone.", name_)});
  const Life::Watch watch = life_.watch();
  base::run_guarded("net", name_, [&] { handler_.on_bytes({buffer.data(), static_cast<std::size_t>(got)}); });
  if (!watch.over()) wait_to_read();
}

void DescriptorLink::write(std::string_view bytes) {
  if (!descriptor_ || bytes.empty()) return;
  const ssize_t sent = ::write(descriptor_->native_handle(), bytes.data(), bytes.size());
  if (sent == static_cast<ssize_t>(bytes.size())) return;
  const std::string why = sent < 0 ? std::generic_category().message(errno) : "it does not take all";
  fail({Reason::cannot_connect, fmt::format("{} cannot be written: {}.", name_, why)});
}

void DescriptorLink::resume_reading() {
  paused_ = false;
  wait_to_read();
}

void DescriptorLink::set_ready() {
  if (state_ != State::connected) return;
  state_ = State::ready;
  backoff_.reset();
}

void DescriptorLink::fail(Failure why) {
  if (state_ == State::waiting || state_ == State::stopped) return;
  timer_.start({}, [this, why = std::move(why)] { lose(why); });
}

void DescriptorLink::retry_now() {
  if (state_ != State::waiting && state_ != State::stopped) return;
  state_ = State::connecting;
  timer_.start({}, [this] { begin(); });
}

void DescriptorLink::stop() {
  life_.renew();
  timer_.cancel();
  give_up();
  descriptor_.reset();
  state_ = State::stopped;
}

void DescriptorLink::lose_with_errno(std::string_view problem) {
  lose({Reason::cannot_connect, fmt::format("{} {}: {}.", name_, problem, std::generic_category().message(errno))});
}

void DescriptorLink::lose(Failure why) {
  life_.renew();
  give_up();
  descriptor_.reset();
  state_ = State::waiting;
  const auto pause = backoff_.next();
  timer_.start(pause, [this] { begin(); });
  handler_.on_lost(why, pause);
}

}  // namespace hearth::net
