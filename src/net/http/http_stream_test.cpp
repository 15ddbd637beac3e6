// SPDX-License-Identifier: Apache-2.0
#include "net/http/http_stream.h"

#include <atomic>

#include "base/testing/wait_until.h"
#include "net/http/test_http.h"
#include "net/reactor/on_net.h"

namespace hearth::net {
namespace {

using testing::ScriptedPeer;
using testing::ScriptedServer;

// The outcome of a stream; the thread `net` writes, the test reads.
struct Heard {
  base::Mutex mutex;
  std::string text __attribute__((guarded_by(mutex)));
  void add(std::string_view more) {
    const base::MutexLock lock(mutex);
    text += more;
  }
  std::string get() {
    const base::MutexLock lock(mutex);
    return text;
  }
};

class HeardStream final : public HttpStream::User {
 public:
  HeardStream(Reactor& reactor, const std::string& url, Heard& heard, std::chrono::milliseconds limit)
      : heard_(heard), stream_(reactor, {.url = url, .timeout = limit}, parse_url(url).value(), *this) {}

 private:
  void on_head(int status, std::string_view type) override { heard_.add(fmt::format("{} {}|", status, type)); }
  void on_body(std::string_view bytes) override { heard_.add(bytes); }
  void on_end(const std::optional<Failure>& why) override {
    heard_.add(why ? "|" + std::string(code_of(why->reason)) : "|end");
  }

  Heard& heard_;
  HttpStream stream_;
};

std::string stream_of(std::string_view answer, bool stays = false,
                      std::chrono::milliseconds limit = std::chrono::seconds(10)) {
  ScriptedServer server([&](ScriptedPeer& peer) {
    read_head(peer);
    for (const char c : answer) peer.send({&c, 1});
    if (stays) peer.drain();
  });
  Reactor reactor;
  Heard heard;
  OnNet<HeardStream> stream(
      reactor, [&, url = HttpTest::url(server)] { return std::make_unique<HeardStream>(reactor, url, heard, limit); });
  base::wait_until([&] {
    const std::string text = heard.get();
    return text.ends_with("|end") || text.contains("|unsupported") || text.contains("|timeout") ||
           text.contains("|cannot_connect");
  });
  reactor.stop();
  return heard.get();
}

TEST(HttpStream, GivesWhatComesUntilTheEnd) {
  EXPECT_EQ(stream_of("HTTP/1.1 200 OK\r\nContent-Type: a/b; c=d\r\n\r\none two"), "200 a/b; c=d|one two|end");
  EXPECT_EQ(stream_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n4\r\n two\r\n0\r\n\r\n", true),
            "200 |one two|end");
  EXPECT_EQ(stream_of("HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nno", true), "404 |no|end");
}

TEST(HttpStream, EndsWithWhatIsNoAnswer) {
  EXPECT_EQ(stream_of("SSH-2.0-x\r\n"), "|unsupported");
  EXPECT_EQ(stream_of(""), "|cannot_connect");
  EXPECT_EQ(stream_of("HTTP/1.1 200 OK\r\nx: " + std::string(20 * HttpRequest::kMaxHeaderBytes, 'x')), "|unsupported");
  EXPECT_EQ(stream_of("HTTP/1.1 200", true, std::chrono::milliseconds(50)), "|timeout");
}

}  // namespace
}  // namespace hearth::net
