// SPDX-License-Identifier: Apache-2.0
// The stream that Beast's WebSocket stands on: it reads from the session's socket, and what it writes (the handshake's
// answer, pongs, close frames) joins the one ordered queue of the connection, so that nothing comes between the halves
// of a message. Worker thread only.
#pragma once

#include <boost/asio/associator.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/role.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "http/session.h"

namespace hearth::http {

class WebSocketLayer {
 public:
  class Owner {
   public:
    virtual void heard() = 0;  // bytes have come
    virtual void write(std::string bytes) = 0;
    virtual void torn_down() = 0;  // all is said, in both directions
   protected:
    ~Owner() = default;
  };

  using executor_type = Session::Socket::executor_type;

  WebSocketLayer(Session::Socket& socket, Owner& owner) : socket_(socket), owner_(owner) {}

  executor_type get_executor() noexcept { return socket_.get_executor(); }

  // Bytes that have come already, before those of the socket.
  void take_early(std::string_view data) { early_ = data; }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, Signature>(
        [this, buffers](auto&& handler) {
          if (early_.empty()) {
            socket_.async_read_some(buffers, Noting<std::decay_t<decltype(handler)>>{&owner_, std::move(handler)});
            return;
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

  // Found by Beast: instead of the socket's own ending, which does not know what is still queued.
  template <class Handler>
  friend void async_teardown(boost::beast::role_type, WebSocketLayer& layer, Handler&& handler) {
    layer.owner_.torn_down();
    boost::asio::post(layer.get_executor(),
                      boost::beast::bind_front_handler(std::forward<Handler>(handler), boost::system::error_code()));
  }
  friend void beast_close_socket(WebSocketLayer&) {}  // for Beast's time-outs, which are off

  // A handler that notes that bytes have come.
  template <class Handler>
  struct Noting {
    Owner* owner;
    Handler handler;

    void operator()(boost::system::error_code error, std::size_t size) {
      if (size > 0) owner->heard();
      std::move(handler)(error, size);
    }
  };

 private:
  using Signature = void(boost::system::error_code, std::size_t);

  template <class Handler>
  void post(Handler handler, std::size_t size) {
    boost::asio::post(get_executor(),
                      boost::beast::bind_front_handler(std::move(handler), boost::system::error_code(), size));
  }

  Session::Socket& socket_;
  Owner& owner_;
  std::string early_;
};

}  // namespace hearth::http

// What is associated with the handler is so with the one that wraps it.
template <template <class, class> class Associator, class Handler, class Default>
struct boost::asio::associator<Associator, hearth::http::WebSocketLayer::Noting<Handler>, Default>
    : Associator<Handler, Default> {
  static auto get(const hearth::http::WebSocketLayer::Noting<Handler>& noting) noexcept {
    return Associator<Handler, Default>::get(noting.handler);
  }
  static auto get(const hearth::http::WebSocketLayer::Noting<Handler>& noting, const Default& other) noexcept {
    return Associator<Handler, Default>::get(noting.handler, other);
  }
};
