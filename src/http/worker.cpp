// SPDX-License-Identifier: Apache-2.0
#include "http/worker.h"

#include <pthread.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <csignal>
#include <ctime>

#include "base/log/log.h"

namespace hearth::http {
namespace {

thread_local const Worker* this_threads_worker = nullptr;

}  // namespace

bool ServerOptions::allows_origin(std::string_view origin) const {
  return std::find(cors_allowed_origins.begin(), cors_allowed_origins.end(), origin) != cors_allowed_origins.end();
}

Responder::Responder(Worker& worker, std::uint64_t session, std::uint64_t request)
    : worker_(&worker), io_(worker.weak_io()), session_(session), request_(request) {}

Responder::Responder(Responder&& other) noexcept
    : worker_(std::exchange(other.worker_, nullptr)),
      io_(std::move(other.io_)),
      session_(other.session_),
      request_(other.request_) {}

Responder::~Responder() {
  if (worker_) send(Response::message(500, "Internal error."));
}

void Responder::send(Response response) {
  Worker* const worker = std::exchange(worker_, nullptr);
  if (worker == Worker::of_this_thread() && !io_.expired()) {
    // Within its own session's reading, it joins the answers before it; within another's, it waits for its turn.
    Session* const session = worker->reading();
    if (session && session->id() == session_) return session->respond(request_, std::move(response));
  }
  const auto io = io_.lock();
  if (!io) return;
  boost::asio::post(
      *io, [worker, session = session_, request = request_, shared = std::make_shared<Response>(std::move(response))] {
        if (Session* found = worker->find(session)) found->respond(request, std::move(*shared));
      });
}

EventStream* Responder::open_stream(Response head) {
  Session* session = std::exchange(worker_, nullptr)->find(session_);
  return session ? session->open_stream(request_, std::move(head)) : nullptr;
}

void Responder::open_websocket(std::unique_ptr<WebSocketHandler> handler) {
  Session* session = std::exchange(worker_, nullptr)->find(session_);
  if (session) session->open_websocket(request_, std::move(handler));
}

const Worker* Worker::of_this_thread() {
  return this_threads_worker;
}

Worker::Worker(std::size_t index, const ServerOptions& options, Commons& commons, Handler& handler)
    : index_(index), options_(options), commons_(commons), handler_(handler), request_counts_(handler.route_count()) {}

Worker::~Worker() {
  stop();
}

void Worker::post(std::function<void()> task) {
  boost::asio::post(*io_, std::move(task));
}

void Worker::start() {
  thread_ = std::thread([this] {
    this_threads_worker = this;
    // sendfile has no MSG_NOSIGNAL: a client that has gone must give an error code there, too.
    sigset_t broken_pipe;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
    pthread_setname_np(pthread_self(), ("http-" + std::to_string(index_)).c_str());
    for (;;) {
      try {
        io_->run();
        break;
      } catch (const std::exception& failure) {
        // A session catches its handler's exceptions; what gets here is a defect, but no reason to stop serving
        // everybody.
        base::log_error("http", "worker {}: {}", index_, failure.what());
      }
    }
    // Sessions are destroyed on their own thread.
    sessions_.clear();
    retired_.clear();
  });
}

void Worker::drain() {
  post([this] {
    draining_ = true;
    std::vector<std::uint64_t> ids;
    for (const auto& [id, session] : sessions_) ids.push_back(id);
    for (const auto id : ids) {
      if (Session* session = find(id)) session->drain();
    }
  });
}

void Worker::stop() {
  work_.reset();
  io_->stop();
  if (thread_.joinable()) thread_.join();
  const base::MutexLock lock(arrivals_mutex_);
  arrivals_.clear();
  session_count_ = 0;
}

void Worker::adopt(FileDescriptor socket, boost::asio::ip::address peer, ConnectionTable::Place place, Port port) {
  {
    const base::MutexLock lock(arrivals_mutex_);
    arrivals_.push_back({std::move(socket), std::move(peer), std::move(place), port});
    ++session_count_;
  }
  post([this] { adopt_arrivals(); });
}

void Worker::adopt_arrivals() {
  std::vector<Arrival> arrivals;
  {
    const base::MutexLock lock(arrivals_mutex_);
    arrivals.swap(arrivals_);
  }
  for (Arrival& arrival : arrivals) {
    Session* const session = draining_ ? nullptr : begin(std::move(arrival));
    if (session) {
      session->start();
    } else {
      arrival.socket.close();  // before it no longer counts
      --session_count_;
    }
  }
}

Session* Worker::begin(Arrival arrival) {
  try {
    if (!sweeping_) schedule_sweep();
    const std::uint64_t id = ++last_session_;
    auto session = std::make_unique<Session>(*this, id, std::move(arrival.socket), std::move(arrival.peer),
                                             std::move(arrival.place), arrival.port);
    return sessions_.emplace(id, std::move(session)).first->second.get();
  } catch (const std::exception& failure) {
    report_lost_connection(failure.what());
    return nullptr;
  }
}

void Worker::report_lost_connection(std::string_view why) {
  ++lost_since_;
  const auto now = std::chrono::steady_clock::now();
  if (now - lost_reported_ < std::chrono::seconds(1)) return;
  lost_reported_ = now;
  base::log_error("http", "connections ended: {}: {}", std::exchange(lost_since_, 0), why);
}

bool Worker::request_room() {
  Room room = Room::enough;
  if (room_.compare_exchange_strong(room, Room::wanted)) post([this] { make_room(); });
  return room != Room::none;
}

void Worker::make_room() {
  std::vector<Session*> dispensable;
  for (const auto& [id, session] : sessions_) {
    if (session->claim() != Session::Claim::works) dispensable.push_back(session.get());
  }
  const std::size_t wanted = std::min(sessions_.size() / 20 + 1, sessions_.size());
  const auto end = dispensable.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, dispensable.size()));
  std::ranges::partial_sort(dispensable, end, {},
                            [](const Session* session) { return std::pair(session->claim(), session->id()); });
  std::for_each(dispensable.begin(), end, [](Session* session) { session->close(); });
  // If too few can go, looking again makes sense only after the next sweep.
  room_ = dispensable.size() >= wanted ? Room::enough : Room::none;
}

Session* Worker::find(std::uint64_t session_id) {
  const auto it = sessions_.find(session_id);
  return it == sessions_.end() ? nullptr : it->second.get();
}

void Worker::retire(Session& session) {
  const auto it = sessions_.find(session.id());
  if (it == sessions_.end()) return;
  if (retired_.empty()) post([this] { retired_.clear(); });
  retired_.push_back(std::move(it->second));
  sessions_.erase(it);
  --session_count_;
}

std::unique_ptr<Exchange> Worker::take_exchange() {
  std::unique_ptr<Exchange> exchange;
  if (exchanges_.empty()) {
    exchange = std::make_unique<Exchange>();
  } else {
    exchange = std::move(exchanges_.back());
    exchanges_.pop_back();
  }
  exchange->head_checked = false;
  exchange->early.reset();
  exchange->parser.emplace(exchange->request, options_.limits);
  return exchange;
}

void Worker::release(std::unique_ptr<Exchange> exchange) {
  constexpr std::size_t kKept = 64;
  exchange->request.clear();
  if (exchanges_.size() < kKept) exchanges_.push_back(std::move(exchange));
}

std::string_view Worker::date() {
  const std::time_t now = std::time(nullptr);
  if (now != date_second_) {
    date_second_ = now;
    std::tm parts;
    gmtime_r(&now, &parts);
    char text[40];
    const auto size = std::strftime(text, sizeof text, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts);
    date_.assign(text, size);
  }
  return date_;
}

// Runs twice a second while there are sessions.
void Worker::schedule_sweep() {
  sweeping_ = true;
  now_ = std::chrono::steady_clock::now();
  sweep_timer_.expires_after(std::chrono::milliseconds(500));
  sweep_timer_.async_wait([this](const boost::system::error_code& error) {
    sweeping_ = false;
    if (!error && !sessions_.empty()) sweep();
  });
}

void Worker::sweep() {
  room_ = Room::enough;
  now_ = std::chrono::steady_clock::now();
  std::vector<Session*> sessions;
  sessions.reserve(sessions_.size());
  for (const auto& [id, session] : sessions_) sessions.push_back(session.get());
  for (Session* session : sessions) session->sweep();  // a closed one is retired, not yet destroyed
  schedule_sweep();
}

}  // namespace hearth::http
