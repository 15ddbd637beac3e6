// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/piece_answer.h"

#include <cstdlib>
#include <filesystem>
#include <future>
#include <stdexcept>

#include "api/test_home.h"
#include "base/testing/wait_until.h"
#include "http/test_server.h"
#include "http/test_websocket.h"

namespace hearth::api {
namespace {

// Someone to ask, who remembers nothing.
struct Past {
  struct Folder {
    std::string path = (std::filesystem::temp_directory_path() / "hearth_XXXXXX").string();
    Folder() { EXPECT_NE(::mkdtemp(path.data()), nullptr); }
    ~Folder() { std::filesystem::remove_all(path); }
  };
  Folder folder;
  base::ManualClock clock;
  std::unique_ptr<recorder::Recorder> recorder = recorder::Recorder::open(folder.path, clock).value();
  recorder::History history{*recorder};
};

class PieceAnswerTest : public http::ServerFixture {
 protected:
  PieceAnswerTest() {
    past_.history.start();
    hub_.bus.start();
  }
  ~PieceAnswerTest() override {
    server_->stop(std::chrono::milliseconds(0));
    past_.history.stop();
    hub_.bus.stop();
  }
  void serve(const PieceMaker& make) {
    handler_.on_handle = [this, make](http::Request&, http::Responder responder) {
      answer_in_pieces(home_, &past_.history, std::move(responder), 0, make);
    };
    start();
  }

  Past past_;
  base::ManualClock clock_;
  core::Hub hub_{clock_};
  const core::View home_{hub_, core::Rights()};
};

TEST_F(PieceAnswerTest, SaysThatItFailedIfTheFirstPieceThrows) {
  serve([](recorder::HistoryReader&, std::string&, std::size_t) -> base::Result<bool> {
    throw std::runtime_error("no memory");
  });
  const auto answer = http::TestClient(port()).get("/");
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(answer.body, R"({"message":"Internal error."})");
}

TEST_F(PieceAnswerTest, EndsTheConnectionIfALaterPieceThrows) {
  serve([first = true](recorder::HistoryReader&, std::string& out, std::size_t bytes) mutable -> base::Result<bool> {
    if (!std::exchange(first, false)) throw std::runtime_error("no memory");
    out.append(bytes, 'x');
    return true;
  });
  http::TestClient client(port());
  client.send(http::get_request("/"));
  client.read_until("\r\n\r\n");
  EXPECT_EQ(client.read_chunk().size(), 1024u * 1024);
  EXPECT_EQ(client.read_bytes(1), "");
  wait_for_connections(0);
}

TEST(HistoryStream, ContinuesWithLiveChangesIfNobodyReadsHistory) {
  Past past;
  TestHome home;
  home.api.serve({.recorder = past.recorder.get(), .history = &past.history});
  home.start();
  http::WebSocketClient client(home.server.port());
  client.open("/api/websocket",
              http::text_frame(R"({"type":"auth","access_token":")" + home.admin + R"("})") +
                  http::text_frame(R"({"id":1,"type":"history/stream","start_time":"2026-11-20T00:00:00Z",)"
                                   R"("entity_ids":["light.a"]})"));
  client.read_text();  // auth_required
  client.read_text();  // auth_ok
  ASSERT_EQ(client.read_text(), R"({"id":1,"type":"result","success":true,"result":null})");
  std::promise<void> asked;
  home.hub.bus.post([&] { asked.set_value(); });
  base::wait_for(asked.get_future());
  past.history.stop();  // the question waited; now it is dropped
  EXPECT_NE(client.read_text().find(R"("states":{})"), std::string::npos);
  home.clock.advance(std::chrono::seconds(1));
  home.set("light.a", "on");
  EXPECT_NE(client.read_text().find(R"("light.a":[{"s":"on")"), std::string::npos);
}

}  // namespace
}  // namespace hearth::api
