// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/bus_feed.h"

#include <boost/asio/post.hpp>

#include "api/gateway/socket_hub.h"

namespace hearth::api {
namespace {

class FeedSubscription final : public LiveSubscription {
 public:
  explicit FeedSubscription(std::shared_ptr<BusFeed> feed) : feed_(std::move(feed)) {}

 private:
  const std::shared_ptr<BusFeed> feed_;
};

}  // namespace

void BusFeed::begin(const CommandCall& call, CommandReply reply, std::size_t bytes, Begin begin) {
  begin_later(call, std::move(reply), bytes, [begin = std::move(begin)](Put put, const Begun& begun) {
    auto source = begin(std::move(put));
    begun(source ? CommandResult("null") : CommandResult(std::unexpected(source.error())));
    return source ? std::move(*source) : nullptr;
  });
}

void BusFeed::begin_later(const CommandCall& call, CommandReply reply, std::size_t bytes, BeginLater begin) {
  const auto feed = std::make_shared<BusFeed>(call.connection, call.home, call.id);
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  const auto posted =
      call.home.post(core::EventBus::kSmallTask + bytes, [feed, shared, bytes, id = call.id, begin = std::move(begin)] {
        const auto put = [weak = feed->weak_from_this()](std::string event) {
          if (const auto self = weak.lock()) self->put(std::move(event));
        };
        // It keeps the feed until then.
        const auto begun = [feed, shared, id, bytes](CommandResult result) {
          if (!result) return shared->send(std::move(result));
          shared->send(std::move(result), [feed, id, bytes](Connection& connection) {
            connection.subscribe(id, std::make_unique<FeedSubscription>(feed), bytes);
          });
        };
        feed->source_ = begin(put, begun);
      });
  if (!posted) shared->send(std::unexpected(posted.error()));
}

BusFeed::BusFeed(Connection& connection, core::View home, std::int64_t id)
    : sockets_(connection.sockets()),
      home_(std::move(home)),
      io_(connection.worker().weak_io()),
      worker_(connection.worker().index()),
      session_(connection.session()),
      id_(id) {}

// On any thread; the source ends on the bus's.
BusFeed::~BusFeed() {
  if (source_) home_.end_on_bus(std::move(source_));
}

void BusFeed::put(std::string event) {
  const std::size_t bytes = event.size();
  inbox_.put(std::move(event), bytes, [this] { post_deliver(); });
}

void BusFeed::post_deliver() {
  const auto io = io_.lock();
  if (!io) return;
  boost::asio::post(*io, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->deliver();
  });
}

void BusFeed::deliver() {
  if (draining_) return;
  Connection* const connection = sockets_.find(worker_, session_);
  if (!connection) return;
  auto batch = inbox_.drain();
  if (batch.items.empty() && !batch.lost) return;
  for (const std::string& event : batch.items) connection->send_event(id_, event);
  if (batch.lost) connection->send_event(id_, R"({"dropped":true})");
  inbox_.recycle(std::move(batch));
  draining_ = true;
  connection->when_drained([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->draining_ = false;
    self->post_deliver();
  });
}

}  // namespace hearth::api
