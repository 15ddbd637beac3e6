// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "base/testing/wait_until.h"
#include "http/test_server.h"

namespace hearth::http {
namespace {

using namespace std::chrono_literals;

// Answers on threads that are not the server's.
class Answerers {
 public:
  Answerers() {
    for (int i = 0; i < 2; ++i) threads_.emplace_back([this] { run(); });
  }
  ~Answerers() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  void answer(std::string text, Responder responder) {
    {
      const std::lock_guard lock(mutex_);
      jobs_.emplace_back(std::move(text), std::move(responder));
    }
    wake_.notify_one();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      std::string text = std::move(jobs_.front().first);
      Responder responder = std::move(jobs_.front().second);
      jobs_.pop_front();
      lock.unlock();
      // Some are dropped and so answer 500.
      if (!text.ends_with("7")) responder.send(Response::json(std::move(text)));
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::pair<std::string, Responder>> jobs_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

// Sends pipelined requests until the server ends, and checks that each answer belongs to its request.
void ask(std::uint16_t port, int number, const std::atomic<bool>& stopping, std::atomic<int>& answered) {
  for (int round = 0;; ++round) {
    TestClient client(port);
    if (!client.connected()) return;
    std::vector<std::string> targets;
    std::string requests;
    for (int i = 0; i < 20; ++i) {
      const char* kind = i % 3 == 0 ? "/async/" : i % 3 == 1 ? "/sync/" : "/long/";
      targets.push_back(kind + std::to_string(number) + "/" + std::to_string(round) + "/" + std::to_string(i));
      requests += get_request(targets.back());
    }
    client.send(requests);
    if (round % 5 == 4) continue;  // disconnects at the worst moment
    for (const std::string& target : targets) {
      const auto answer = client.read_answer();
      if (answer.status == 0) break;
      if (target.starts_with("/async") && target.ends_with("7")) {
        EXPECT_EQ(answer.status, 500) << target;
      } else {
        EXPECT_EQ(answer.status, 200) << target;
        const std::string whole = target.starts_with("/long") ? target + "!" + target + "!" + target + "!" : target;
        // A server that stops may truncate the last answer.
        EXPECT_TRUE(answer.body == whole || (stopping && whole.starts_with(answer.body)))
            << target << ": " << answer.body;
      }
      ++answered;
    }
  }
}

// Reads a few frames of a stream and disconnects, again and again.
void follow(std::uint16_t port, std::atomic<int>& frames) {
  for (int round = 0;; ++round) {
    TestClient client(port);
    if (!client.connected()) return;
    client.send(get_request("/stream"));
    if (!client.read_until("\r\n\r\n").starts_with("HTTP/1.1 200 ")) continue;
    int last = -1;
    for (int i = 0; i < round % 10; ++i) {
      const std::string chunk = client.read_chunk();
      if (!chunk.ends_with("\n")) break;
      const int next = std::stoi(chunk);
      EXPECT_TRUE(last < 0 || next == last + 1) << next << " behind " << last;
      last = next;
      ++frames;
    }
  }
}

TEST(ServerStress, GivesEachRequestItsOwnAnswerUntilItStops) {
  for (int run = 0; run < 3; ++run) {
    Answerers answerers;
    TestHandler handler;
    // Streams by worker; each worker uses its own only.
    std::map<Worker*, std::map<std::uint64_t, EventStream*>> streams;
    std::atomic<std::uint64_t> last_stream = 0;
    std::atomic<int> open = 0;
    handler.on_handle = [&](Request& request, Responder responder) {
      const std::string target = request.target_text;
      if (target.starts_with("/async")) return answerers.answer(target, std::move(responder));
      if (target.starts_with("/stream")) {
        auto& mine = streams.at(&responder.worker());
        EventStream* const stream = responder.open_stream({});
        if (!stream) return;
        const auto id = ++last_stream;
        mine[id] = stream;
        ++open;
        stream->on_closed([&mine, &open, id] {
          mine.erase(id);
          --open;
        });
        return;
      }
      if (target.starts_with("/sync")) return responder.send(Response::json(target));
      Response response;
      response.source = [target, left = 3](std::string& out) mutable {
        out += target + "!";
        return --left > 0;
      };
      responder.send(std::move(response));
    };
    ServerOptions options;
    options.workers = 2;
    auto server = std::make_unique<Server>(options, handler);
    for (auto& worker : server->workers()) streams[worker.get()];
    ASSERT_TRUE(server->listen({"127.0.0.1"}, 0));
    server->start();
    const std::uint16_t port = server->port();

    std::atomic<int> answered = 0, frames = 0;
    std::atomic<bool> stopping = false, ticking = true;
    std::thread ticker([&] {
      for (int tick = 0; ticking; ++tick) {
        const auto frame = std::make_shared<const Frame>(std::to_string(tick) + "\n");
        for (auto& worker : server->workers()) {
          worker->post([&mine = streams.at(worker.get()), frame] {
            for (auto next = mine.begin(); next != mine.end();) {
              EventStream* const stream = (next++)->second;
              if (stream->queue(frame)) stream->flush();
            }
          });
        }
        std::this_thread::yield();
      }
    });
    std::vector<std::thread> clients;
    for (int i = 0; i < 4; ++i) clients.emplace_back([&, i] { ask(port, i, stopping, answered); });
    for (int i = 0; i < 2; ++i) clients.emplace_back([&] { follow(port, frames); });
    base::wait_until([&] { return answered >= 300 && frames >= 50; });
    stopping = true;
    server->drain();
    if (run > 0) server->stop(run == 1 ? 0ms : 2000ms);
    if (run == 0) {
      for (auto& client : clients) client.join();
      clients.clear();
    }
    ticking = false;
    ticker.join();
    server.reset();
    for (auto& client : clients) client.join();
    EXPECT_EQ(open, 0);
  }
}

}  // namespace
}  // namespace hearth::http
