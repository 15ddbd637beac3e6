// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/connection/line.h"

#include <fmt/format.h>

#include <utility>

#include "net/link/udp_link.h"

namespace hearth::integrations::modbus {
namespace {

std::unique_ptr<net::Link> make_line_link(net::Reactor& reactor, const LineOptions& options,
                                          net::Link::Handler& handler) {
  const net::Target target{.host = options.host, .port = options.port};
  if (options.type == HubOptions::Type::serial)
    return std::make_unique<net::SerialLink>(reactor, options.serial, handler);
  if (options.type == HubOptions::Type::udp) return std::make_unique<net::UdpLink>(reactor, target, handler);
  return net::make_link(reactor, {.target = target, .greeting_limit = {}}, handler);
}

}  // namespace

LineOptions::LineOptions(const HubOptions& hub)
    : type(hub.type),
      name(hub.address()),
      host(hub.host),
      port(hub.port),
      serial(hub.serial),
      delay(hub.delay),
      message_wait(hub.message_wait),
      timeout(hub.timeout),
      framing(hub.framing()) {}

Line::Line(net::Reactor& reactor, LineOptions options, net::BusSender<Arrival> arrivals)
    : options_(std::move(options)),
      arrivals_(std::move(arrivals)),
      reader_(options_.framing),
      limit_(reactor),
      pause_(reactor) {
  arrivals_.start(reactor, [this] { link_->resume_reading(); });
  link_ = make_line_link(reactor, options_, *this);
}

bool Line::is_open() const {
  return link_->state() == net::Link::State::connected || link_->state() == net::Link::State::ready;
}

void Line::submit(Job job, bool first) {
  if (!is_open()) {
    put({.kind = Arrival::Kind::answer,
         .id = job.id,
         .answer = std::unexpected(RequestFailure{.kind = RequestFailure::Kind::no_link,
                                                  .message = fmt::format("{} is not connected.", options_.name)})});
    return;
  }
  if (first) {
    waiting_.insert(waiting_.begin() + static_cast<std::ptrdiff_t>(commands_++), std::move(job));
  } else {
    waiting_.push_back(std::move(job));
  }
  send_next();
}

void Line::send_next() {
  if (asked_ || waiting_.empty() || pause_.running() || !is_open()) return;
  asked_ = std::move(waiting_.front());
  waiting_.pop_front();
  if (commands_ > 0) --commands_;
  reader_.expect(++transaction_, asked_->request);
  link_->write(encode(options_.framing, transaction_, asked_->request));
  limit_.start(options_.timeout, [this] { late(); });
}

void Line::pause(std::chrono::milliseconds time) {
  if (time.count() > 0)
    pause_.start(time, [this] { send_next(); });
  else
    send_next();
}

void Line::on_connected() {
  silent_ = 0;
  put({.kind = Arrival::Kind::connected});
  pause(options_.delay);
}

void Line::on_bytes(std::string_view bytes) {
  if (!asked_) return;
  auto answer = reader_.put(bytes);
  if (!answer) return;
  silent_ = 0;
  const bool broken = !*answer && answer->error().kind == RequestFailure::Kind::broken;
  if (!broken) link_->set_ready();
  finish(std::move(*answer));
  if (!broken) return pause(options_.message_wait);
  // Frames on a stream of TCP cannot be found again.
  if (options_.type == HubOptions::Type::tcp)
    link_->fail({net::Reason::unsupported, fmt::format("{} does not answer as Modbus TCP does.", options_.name)});
  else
    pause(kQuiet);
}

void Line::late() {
  finish(std::unexpected(RequestFailure{
      .kind = RequestFailure::Kind::no_answer,
      .message = fmt::format("The device does not answer within {:g} s.", options_.timeout.count() / 1'000.0)}));
  if (++silent_ >= kMostSilent && options_.type != HubOptions::Type::serial)
    link_->fail({net::Reason::timeout, fmt::format("{} does not answer.", options_.name)});
  else
    pause(options_.framing == Framing::rtu ? kQuiet : options_.message_wait);
}

void Line::finish(Answer answer) {
  limit_.cancel();
  const std::uint64_t id = asked_->id;
  asked_.reset();
  put({.kind = Arrival::Kind::answer, .id = id, .answer = std::move(answer)});
}

void Line::on_lost(const net::Failure& why, std::chrono::milliseconds) {
  fail_all(why.message);
  put({.kind = Arrival::Kind::lost, .why = why});
}

void Line::fail_all(const std::string& why) {
  limit_.cancel();
  pause_.cancel();
  const auto failure = [&] {
    return std::unexpected(RequestFailure{.kind = RequestFailure::Kind::no_link, .message = why});
  };
  if (asked_) finish(failure());
  commands_ = 0;
  for (Job& job : std::exchange(waiting_, {})) put({.kind = Arrival::Kind::answer, .id = job.id, .answer = failure()});
}

void Line::stop() {
  link_->stop();
  fail_all(fmt::format("{} is stopped.", options_.name));
}

void Line::resume() {
  link_->stop();
  fail_all(fmt::format("{} is connected anew.", options_.name));
  link_->retry_now();
}

void Line::put(Arrival arrival) {
  std::size_t bytes = sizeof(Arrival) + arrival.why.message.size();
  if (arrival.answer) bytes += arrival.answer->size() * sizeof(std::uint16_t);
  if (!arrivals_.put(std::move(arrival), bytes)) link_->pause_reading();
}

}  // namespace hearth::integrations::modbus
