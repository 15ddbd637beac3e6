// SPDX-License-Identifier: Apache-2.0
// One thread with its io_context, and the sessions that live on it.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "base/net/ip_network.h"
#include "http/commons.h"
#include "http/messages/limits.h"
#include "http/poller.h"
#include "http/request_counts.h"
#include "http/session.h"

namespace hearth::http {

// Shared by all workers; must outlive them.
struct ServerOptions {
  Limits limits;
  std::vector<std::string> cors_allowed_origins;
  std::vector<base::IpNetwork> trusted_proxies;
  std::size_t workers = 0;  // 0 means one a core
  long hsts = 0;            // seconds for which browsers shall come over TLS only; 0: they are not told

  bool allows_origin(std::string_view origin) const;
};

class Worker {
 public:
  // All must outlive the worker.
  Worker(std::size_t index, const ServerOptions& options, Commons& commons, Handler& handler);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // The worker whose thread this is; null on other threads.
  static const Worker* of_this_thread();

  std::size_t index() const { return index_; }
  const ServerOptions& options() const { return options_; }
  Commons& commons() { return commons_; }
  boost::asio::io_context& io() { return *io_; }
  std::weak_ptr<boost::asio::io_context> weak_io() { return io_; }

  // Any thread. Runs the task on the worker's thread.
  void post(std::function<void()> task);
  // Starts a session on an accepted connection, or closes it if the worker drains or stops. Any thread.
  void adopt(FileDescriptor socket, boost::asio::ip::address peer, ConnectionTable::Place place = {},
             Port port = Port::plain);
  // Soon ends a twentieth of the sessions: first those of clients that have shown no token, then idle ones; never
  // sessions that are working. False if it did so since its last sweep and found too few. Any thread.
  bool request_room();
  // Logs why a connection has ended or could not begin; of many within a second the first, and then how many.
  void report_lost_connection(std::string_view why);
  // Current sessions and those about to start. Any thread.
  std::size_t session_count() const { return session_count_; }
  // The event streams and WebSockets among them.
  std::size_t stream_count() const { return stream_count_.load(std::memory_order_relaxed); }
  std::size_t websocket_count() const { return websocket_count_.load(std::memory_order_relaxed); }

  const RequestCounts& request_counts() const { return request_counts_; }  // any thread

  void start();
  // Takes no new request and ends streams; what is running continues until `stop`.
  void drain();
  void stop();  // ends the thread and every session

  // The rest is for the worker's own thread.
  Session* find(std::uint64_t session_id);
  // The session that is parsing now: answers to it are sent together. Null if there is none.
  Session* reading() const { return reading_; }
  class Reading {
   public:
    Reading(Worker& worker, Session& session) : worker_(worker) { worker.reading_ = &session; }
    ~Reading() { worker_.reading_ = nullptr; }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

   private:
    Worker& worker_;
  };
  // A request has come, or is answered: the time of the last answer is also when the next request of those that came
  // together began, so that each costs one look at the clock.
  Session::Time latest() const { return latest_; }
  void look_at_clock() { latest_ = std::chrono::steady_clock::now(); }
  void count_request(std::size_t route, unsigned status, Session::Time began) {
    look_at_clock();
    request_counts_.add(route, status, latest_ - began);
  }
  void count_stream(int change) { count(stream_count_, change); }
  void count_websocket(int change) { count(websocket_count_, change); }
  void retire(Session& session);
  Handler& handler() { return handler_; }
  Poller& poller() { return poller_; }
  bool draining() const { return draining_; }

  std::unique_ptr<Exchange> take_exchange();
  void release(std::unique_ptr<Exchange> exchange);
  std::string& scratch() { return scratch_; }  // for bytes that are built and sent at once
  std::string& out() { return out_; }          // answers of the session that is reading
  char* read_buffer() { return read_buffer_.get(); }
  static constexpr std::size_t kReadBuffer = 64 * 1024;
  std::string_view date();                    // the complete Date header field
  Session::Time now() const { return now_; }  // rounded to half a second: the time of the last sweep

 private:
  // Only the worker's own thread may call this.
  static void count(std::atomic<std::size_t>& counter, int change) {
    counter.store(counter.load(std::memory_order_relaxed) + change, std::memory_order_relaxed);
  }
  struct Arrival {
    FileDescriptor socket;
    boost::asio::ip::address peer;
    ConnectionTable::Place place;
    Port port;
  };

  void adopt_arrivals();
  Session* begin(Arrival arrival);  // null if it fails
  void make_room();
  void schedule_sweep();
  void sweep();

  const std::size_t index_;
  const ServerOptions& options_;
  Commons& commons_;
  Handler& handler_;
  RequestCounts request_counts_;
  const std::shared_ptr<boost::asio::io_context> io_ = std::make_shared<boost::asio::io_context>(1);
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_->get_executor()};
  boost::asio::steady_timer sweep_timer_{*io_};
  Poller poller_{*io_};
  std::thread thread_;

  base::Mutex arrivals_mutex_;
  // Bounded by the limit of connections. Not in tasks, which may never run.
  std::vector<Arrival> arrivals_ __attribute__((guarded_by(arrivals_mutex_)));
  enum class Room { enough, wanted, none };
  std::atomic<Room> room_{Room::enough};  // none: until the next sweep, nothing more can be ended
  std::unordered_map<std::uint64_t, std::unique_ptr<Session>> sessions_;
  std::vector<std::unique_ptr<Session>> retired_;
  std::atomic<std::size_t> session_count_{0};  // from a connection's arrival until its session retires
  std::atomic<std::size_t> stream_count_{0};
  std::atomic<std::size_t> websocket_count_{0};
  std::uint64_t last_session_ = 0;
  std::chrono::steady_clock::time_point lost_reported_{};
  std::size_t lost_since_ = 0;  // connections, not in the log yet
  bool sweeping_ = false;
  bool draining_ = false;

  Session* reading_ = nullptr;
  std::vector<std::unique_ptr<Exchange>> exchanges_;
  std::string scratch_;
  std::string out_;
  std::unique_ptr<char[]> read_buffer_{new char[kReadBuffer]};
  std::string date_;
  std::time_t date_second_ = 0;
  Session::Time now_;
  Session::Time latest_;
};

}  // namespace hearth::http
