// SPDX-License-Identifier: Apache-2.0
#include "net/http/http_stream.h"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <utility>

#include "base/text/text.h"

namespace hearth::net {

namespace beast_http = boost::beast::http;

HttpStream::HttpStream(Reactor& reactor, HttpRequest request, Url url, User& user)
    : reactor_(reactor), request_(std::move(request)), url_(std::move(url)), user_(user), deadline_(reactor) {
  parser_.eager(true);
  parser_.header_limit(static_cast<std::uint32_t>(HttpRequest::kMaxHeaderBytes));
  parser_.body_limit(boost::none);
  wait(request_.timeout, "does not answer");
  Target target{.host = url_.host, .port = url_.port};
  if (url_.secure)
    target.tls = TlsOptions{.verify_certificate = request_.verify_certificate, .authorities = request_.authorities};
  connector_.emplace(reactor_, std::move(target), [this](auto result) { connected(std::move(result)); });
}

void HttpStream::wait(std::chrono::milliseconds time, std::string_view what) {
  deadline_.start(time, [this, time, what] {
    fail(Reason::timeout, fmt::format("{} within {:g} s", what, std::chrono::duration<double>(time).count()));
  });
}

void HttpStream::connected(std::expected<std::unique_ptr<Stream>, Failure> result) {
  if (!result) return end(result.error());
  connector_.reset();
  connection_ = std::make_unique<Connection>(reactor_, std::move(*result), static_cast<Connection::Handler&>(*this));
  connection_->write(head());
}

std::string HttpStream::head() const {
  std::string head;
  base::append(head, "GET ", url_.target, " HTTP/1.1\r\nHost: ", url_.authority(),
               "\r\nUser-Agent: Hearth\r\nAccept: */*\r\nAccept-Encoding: identity\r\nConnection: close\r\n");
  for (const auto& [name, value] : request_.headers) base::append(head, name, ": ", value, "\r\n");
  return head += "\r\n";
}

void HttpStream::pause() {
  if (connection_) connection_->pause_reading();
  deadline_.cancel();
}

void HttpStream::resume() {
  if (ended_) return;
  if (connection_) connection_->resume_reading();
  wait(kSilence, "sends nothing");
}

void HttpStream::on_bytes(std::string_view bytes) {
  const Life::Watch watch = life_.watch();
  if (head_told_) wait(kSilence, "sends nothing");
  unparsed_.append(bytes);
  while (!parser_.is_done() && !unparsed_.empty()) {
    boost::system::error_code error;
    unparsed_.erase(0, parser_.put(boost::asio::buffer(unparsed_), error));
    if (error && error != beast_http::error::need_more)
      return fail(Reason::unsupported, "does not answer with HTTP: " + error.message());
    if (!head_told_ && parser_.is_header_done()) {
      head_told_ = true;
      wait(kSilence, "sends nothing");
      const auto type = parser_.get()[beast_http::field::content_type];
      user_.on_head(parser_.get().result_int(), {type.data(), type.size()});
      if (watch.over() || ended_) return;
    }
    if (const std::string body = std::exchange(parser_.get().body(), {}); !body.empty()) {
      user_.on_body(body);
      if (watch.over() || ended_) return;
    }
    if (error == beast_http::error::need_more) {
      if (unparsed_.size() > kMostUnparsed) fail(Reason::unsupported, "sends a line without an end");
      return;
    }
  }
  if (parser_.is_done()) end({});
}

void HttpStream::on_end(const std::optional<Failure>& why) {
  if (why) return end(Failure{why->reason, fmt::format("{}: {}", url_.authority(), why->message)});
  if (!head_told_) return fail(Reason::cannot_connect, "closes the connection without an answer");
  end({});
}

void HttpStream::fail(Reason reason, std::string_view what) {
  end(Failure{reason, fmt::format("{} {}", url_.authority(), what)});
}

void HttpStream::end(const std::optional<Failure>& why) {
  if (std::exchange(ended_, true)) return;
  deadline_.cancel();
  // The last step: it may destroy this.
  user_.on_end(why);
}

}  // namespace hearth::net
