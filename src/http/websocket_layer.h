// SPDX-License-Identifier: Apache-2.0
// The stream below Beast's WebSocket: it reads through its session, and what it writes (the handshake's answer, pongs,
// close frames) joins the connection's one ordered queue, so that nothing splits a message. Worker thread only.
#pragma once

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

#include "http/session.h"
#include "http/worker.h"

namespace hearth::http {

class WebSocketLayer {
 public:
  class Owner {
   public:
    // That many bytes have arrived. False: neither they nor later ones are wanted.
    virtual bool heard(std::size_t bytes) = 0;
    virtual void write(std::string bytes) = 0;
    virtual void torn_down() = 0;  // nothing more is sent or received
   protected:
    ~Owner() = default;
  };

  using executor_type = boost::asio::io_context::executor_type;

  WebSocketLayer(Session& session, Owner& owner) : session_(session), owner_(owner) {}

  executor_type get_executor() noexcept { return session_.worker().io().get_executor(); }

  // Bytes received before those of the socket.
  void take_early(std::string_view data) { early_ = data; }
  // The session's socket is readable.
  void on_readable() {
    if (!reading_) return;
    const std::size_t size = session_.read_some(static_cast<char*>(place_.data()), place_.size());
    if (size == 0) return session_.wait_readable();
    if (!owner_.heard(size)) return;
    std::exchange(reading_, nullptr)({}, size);
  }
  // The connection has ended: the pending read and later ones fail.
  void end() {
    ended_ = true;
    if (!reading_) return;
    boost::asio::post(get_executor(), [reading = std::exchange(reading_, nullptr)]() mutable {
      reading(boost::asio::error::operation_aborted, 0);
    });
  }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, Signature>(
        [this, buffers](auto&& handler) {
          if (early_.empty()) {
            place_ = first_of(buffers);
            reading_ = std::move(handler);
            return ended_ ? end() : session_.wait_readable();
          }
          const std::size_t size = boost::asio::buffer_copy(buffers, boost::asio::buffer(early_));
          early_.erase(0, size);
          if (early_.empty()) std::string().swap(early_);
          post(std::move(handler), size);
        },
        token);
  }

  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, Signature>(
        [this, buffers](auto&& handler) {
          std::string bytes(boost::asio::buffer_size(buffers), '\0');
          boost::asio::buffer_copy(boost::asio::buffer(bytes), buffers);
          const std::size_t size = bytes.size();
          owner_.write(std::move(bytes));
          post(std::move(handler), size);
        },
        token);
  }

  // Found by Beast through ADL: replaces the socket's own ending, which does not know what is still queued.
  template <class Handler>
  friend void async_teardown(boost::beast::role_type, WebSocketLayer& layer, Handler&& handler) {
    layer.owner_.torn_down();
    boost::asio::post(layer.get_executor(),
                      boost::beast::bind_front_handler(std::forward<Handler>(handler), boost::system::error_code()));
  }
  friend void beast_close_socket(WebSocketLayer&) {}  // for Beast's time-outs, which are off

 private:
  using Signature = void(boost::system::error_code, std::size_t);

  template <class Handler>
  void post(Handler handler, std::size_t size) {
    boost::asio::post(get_executor(),
                      boost::beast::bind_front_handler(std::move(handler), boost::system::error_code(), size));
  }

  // The kernel gets one buffer: what does not fit comes with the next read.
  template <class Buffers>
  static boost::asio::mutable_buffer first_of(const Buffers& buffers) {
    const auto end = boost::asio::buffer_sequence_end(buffers);
    for (auto next = boost::asio::buffer_sequence_begin(buffers); next != end; ++next) {
      const boost::asio::mutable_buffer buffer = *next;
      if (buffer.size() > 0) return buffer;
    }
    return {};
  }

  Session& session_;
  Owner& owner_;
  std::string early_;
  std::move_only_function<Signature> reading_;  // the pending read, and its buffer
  boost::asio::mutable_buffer place_;
  bool ended_ = false;
};

}  // namespace hearth::http
