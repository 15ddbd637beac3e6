// SPDX-License-Identifier: Apache-2.0
// The stream below Beast's WebSocket: bytes that a link has delivered, and a link that takes what Beast writes (the
// handshake, pongs, close frames), always whole, so that nothing splits a message. Thread `net` only.
#pragma once

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/role.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace hearth::net {

class WebSocketLayer {
 public:
  using executor_type = boost::asio::io_context::executor_type;
  using Write = std::function<void(std::string_view bytes)>;

  // `took`: Beast has taken some of what waited.
  WebSocketLayer(boost::asio::io_context& io, Write write, std::function<void()> took)
      : io_(io), write_(std::move(write)), took_(std::move(took)) {}

  executor_type get_executor() noexcept { return io_.get_executor(); }

  // Takes bytes that have arrived. Completes the pending read within the call.
  void feed(std::string_view bytes) {
    waiting_.append(bytes);
    if (reading_ && !waiting_.empty()) complete();
  }
  // Bytes that nobody has read.
  std::size_t waiting() const { return waiting_.size(); }
  // The connection has ended: the pending read and later ones fail, and nothing more is written.
  void end() {
    write_ = nullptr;
    took_ = nullptr;
    if (!reading_) return;
    boost::asio::post(io_, [reading = std::exchange(reading_, nullptr)]() mutable {
      reading(boost::asio::error::operation_aborted, 0);
    });
  }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, Signature>(
        [this, buffers](auto&& handler) {
          place_ = first_of(buffers);
          reading_ = std::move(handler);
          if (!write_) return end();
          if (waiting_.empty()) return;
          const std::size_t size = take();
          boost::asio::post(io_, [reading = std::exchange(reading_, nullptr), size]() mutable { reading({}, size); });
          if (took_) took_();
        },
        token);
  }

  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, Signature>(
        [this, buffers](auto&& handler) {
          std::string bytes(boost::asio::buffer_size(buffers), '\0');
          boost::asio::buffer_copy(boost::asio::buffer(bytes), buffers);
          boost::system::error_code error;
          if (write_)
            write_(bytes);
          else
            error = boost::asio::error::operation_aborted;
          boost::asio::post(io_, boost::beast::bind_front_handler(std::move(handler), error, bytes.size()));
        },
        token);
  }

  // Found by Beast through ADL.
  template <class Handler>
  friend void async_teardown(boost::beast::role_type, WebSocketLayer& layer, Handler&& handler) {
    boost::asio::post(layer.io_,
                      boost::beast::bind_front_handler(std::forward<Handler>(handler), boost::system::error_code()));
  }
  friend void beast_close_socket(WebSocketLayer&) {}  // for Beast's time-outs, which are off

 private:
  using Signature = void(boost::system::error_code, std::size_t);

  std::size_t take() {
    const std::size_t size = boost::asio::buffer_copy(place_, boost::asio::buffer(waiting_));
    waiting_.erase(0, size);
    if (waiting_.empty()) std::string().swap(waiting_);
    return size;
  }
  void complete() {
    const std::size_t size = take();
    std::exchange(reading_, nullptr)({}, size);
  }
  // One buffer is enough: what does not fit comes with the next read.
  template <class Buffers>
  static boost::asio::mutable_buffer first_of(const Buffers& buffers) {
    const auto end = boost::asio::buffer_sequence_end(buffers);
    for (auto next = boost::asio::buffer_sequence_begin(buffers); next != end; ++next) {
      const boost::asio::mutable_buffer buffer = *next;
      if (buffer.size() > 0) return buffer;
    }
    return {};
  }

  boost::asio::io_context& io_;
  Write write_;                                 // null after the end
  std::function<void()> took_;                  // likewise
  std::string waiting_;                         // bytes that nobody has read
  std::move_only_function<Signature> reading_;  // the pending read, and its buffer
  boost::asio::mutable_buffer place_;
};

}  // namespace hearth::net
