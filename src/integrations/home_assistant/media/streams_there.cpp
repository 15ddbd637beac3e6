// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/media/streams_there.h"

#include <fmt/format.h>

#include <utility>

#include "integrations/home_assistant/media/refusals.h"
#include "net/http/http_stream.h"

namespace hearth::integrations::home_assistant {
namespace {

constexpr std::string_view kParts = "multipart/x-mixed-replace";
constexpr std::size_t kMostContentType = 300;

// Visible characters of ASCII only, as it goes into a field of an answer.
bool is_stream(std::string_view content_type) {
  if (content_type.size() > kMostContentType || !content_type.starts_with(kParts)) return false;
  for (const char c : content_type)
    if (c < ' ' || c > '~') return false;
  return true;
}

// False if the bus is full.
using Tell = std::function<bool(const StreamsThere::News&)>;
constexpr std::chrono::milliseconds kTellAgain{20};

}  // namespace

// One stream. Thread `net` only.
class StreamThere final : public net::HttpStream::User {
 public:
  StreamThere(net::Reactor& reactor, net::HttpRequest request, net::Url url, std::shared_ptr<StreamPipe> pipe,
              std::uint64_t id, Tell tell)
      : pipe_(std::move(pipe)), id_(id), tell_(std::move(tell)), again_(reactor) {
    pipe_->set_wake([&reactor, self = std::weak_ptr(self_)] {
      static_cast<void>(reactor.post([self] {
        if (const auto woken = self.lock()) (*woken)->wake();
      }));
    });
    stream_.emplace(reactor, std::move(request), std::move(url), *this);
  }
  ~StreamThere() override {
    pipe_->set_wake(nullptr);
    pipe_->end();
  }

 private:
  void on_head(int status, std::string_view content_type) override {
    if (status != 200) return finish(fmt::format("answers with the status {}", status));
    if (!is_stream(content_type)) return finish("sends something else than a stream");
    content_type_ = content_type;
  }
  void on_body(std::string_view bytes) override {
    if (pipe_->closed()) return finish({});
    if (!pipe_->put(bytes)) stream_->pause();
    if (!std::exchange(begun_, true)) say({id_, content_type_, {}});
  }
  void on_end(const std::optional<net::Failure>& why) override {
    finish(begun_ ? std::string() : why ? why->message : "sends nothing");
  }
  void wake() {
    if (pipe_->closed()) return finish({});
    if (stream_) stream_->resume();
  }
  void finish(std::string problem) {
    if (std::exchange(finished_, true)) return;
    stream_.reset();
    pipe_->end();
    say({id_, {}, begun_ ? std::string() : std::move(problem)});
  }
  // Until the bus has room; the last word counts.
  void say(StreamsThere::News news) {
    if (tell_(news)) return again_.cancel();
    again_.start(kTellAgain, [this, news = std::move(news)]() mutable { say(std::move(news)); });
  }

  const std::shared_ptr<StreamPipe> pipe_;
  const std::uint64_t id_;
  const Tell tell_;
  net::Timer again_;
  std::string content_type_;
  bool begun_ = false, finished_ = false;
  const std::shared_ptr<StreamThere*> self_ = std::make_shared<StreamThere*>(this);
  std::optional<net::HttpStream> stream_;
};

StreamsThere::StreamsThere(domains::IntegrationBus& bus, net::Reactor& reactor, const FilesThere::Access& access)
    : bus_(bus), reactor_(reactor), access_(access) {}

StreamsThere::~StreamsThere() = default;

void StreamsThere::open(const std::string& path, Done done) {
  if (open_.size() >= kMost) return done(std::unexpected(too_much(access_.who)));
  net::HttpRequest request = access_.request;
  request.url += path;
  request.timeout = kFirstByte;
  auto url = net::parse_url(request.url);
  if (!url) return done(std::unexpected(failed_request(access_.who, url.error())));
  const std::uint64_t id = ++last_;
  Open& one = open_[id];
  one.pipe = std::make_shared<StreamPipe>();
  one.done = std::move(done);
  one.limit = bus_.schedule(kFirstByte, [this, id] { refuse(id, "sends nothing in time"); });
  const Tell tell = [post = bus_.poster(), self = std::weak_ptr(self_)](const News& news) {
    return post(core::EventBus::kSmallTask, [self, news] {
      if (const auto streams = self.lock()) (*streams)->take(news);
    });
  };
  one.stream = std::make_unique<net::OnNet<StreamThere>>(
      reactor_,
      [&reactor = reactor_, request = std::move(request), url = std::move(*url), pipe = one.pipe, id, tell]() mutable {
        return std::make_unique<StreamThere>(reactor, std::move(request), std::move(url), std::move(pipe), id, tell);
      });
}

void StreamsThere::refuse(std::uint64_t id, const std::string& problem) {
  auto one = open_.extract(id);
  if (one && one.mapped().done) one.mapped().done(std::unexpected(is_wrong(access_.who, problem)));
}

void StreamsThere::take(const News& news) {
  const auto found = open_.find(news.id);
  if (found == open_.end()) return;
  if (news.content_type.empty()) return refuse(news.id, news.problem);
  Open& one = found->second;
  one.limit = {};
  const Done done = std::exchange(one.done, nullptr);
  auto first = one.pipe->take();
  done(core::OtherHub::OpenedStream{news.content_type, std::move(first), rest_of(one.pipe)});
}

}  // namespace hearth::integrations::home_assistant
