// SPDX-License-Identifier: Apache-2.0
// automation/suggestions, automation/suggestions/dismiss.
#include <fmt/format.h>
#include <boost/asio/post.hpp>

#include "api/automations/suggestions.h"
#include "api/commands.h"
#include "api/gateway/connection.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/socket_hub.h"
#include "api/records.h"

namespace hearth::api {
namespace {

constexpr double kStep = 0.05;  // of progress that is told
constexpr std::size_t kMaxId = 600;

// Ends the search with the subscription.
class SearchSubscription final : public LiveSubscription {
 public:
  explicit SearchSubscription(Suggestions::SearchPtr search) : search_(std::move(search)) {}
  ~SearchSubscription() override { search_->over = true; }

 private:
  const Suggestions::SearchPtr search_;
};

// Events of one subscription from another thread; a few, so that none waits for room.
class Teller {
 public:
  explicit Teller(const CommandCall& call)
      : sockets_(call.connection.sockets()),
        io_(call.connection.worker().weak_io()),
        worker_(call.connection.worker().index()),
        session_(call.connection.session()),
        id_(call.id) {}

  void tell(std::string event) const {
    const auto io = io_.lock();
    if (!io) return;
    boost::asio::post(*io,
                      [&sockets = sockets_, worker = worker_, session = session_, id = id_, event = std::move(event)] {
                        if (Connection* const connection = sockets.find(worker, session))
                          connection->send_event(id, event);
                      });
  }

 private:
  SocketHub& sockets_;
  const std::weak_ptr<boost::asio::io_context> io_;
  const std::size_t worker_;
  const std::uint64_t session_;
  const std::int64_t id_;
};

}  // namespace

void suggestion_commands::find(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (!call.records.suggestions) {
    return reply.send(std::unexpected(CommandError(command_error::kNotFound, "This hub has no history.")));
  }
  if (auto room = call.connection.may_subscribe(); !room) return reply.send(std::unexpected(room.error()));
  const auto search = std::make_shared<Suggestions::Search>();
  const Teller teller(call);
  const auto begun = call.records.suggestions->find(
      search,
      [teller, told = 0.0](double share) mutable {
        if (share < told + kStep) return;
        told = share;
        teller.tell(fmt::format(R"({{"progress":{:.2f}}})", share));
      },
      [teller](const base::Result<json::object>& answer) {
        if (answer) return teller.tell(base::to_json(*answer));
        const CommandError error(answer.error());
        teller.tell(base::to_json(json::object{{"error", {{"code", error.code}, {"message", error.message}}}}));
      });
  if (!begun) return reply.send(std::unexpected(begun.error()));
  reply.send("null", [search, id = call.id](Connection& connection) {
    connection.subscribe(id, std::make_unique<SearchSubscription>(search));
  });
}

CommandResult suggestion_commands::dismiss(const CommandCall& call) {
  std::string id;
  bool dismissed = true;
  MessageReader in(call.message);
  in.required("suggestion_id", id);
  in.optional("dismissed", dismissed);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (id.empty() || id.size() > kMaxId) {
    return std::unexpected(CommandError(command_error::kInvalidFormat,
                                        fmt::format("suggestion_id: expected a text of 1 to {} bytes", kMaxId)));
  }
  core::Registry& registry = call.home.administered().registry;
  const std::string collection(kDismissedSuggestions);
  if (dismissed == (registry.snapshot()->find_item(collection, id) != nullptr)) return "null";
  base::Result<void> done;
  if (dismissed) {
    if (auto made = registry.create_item(collection, id, {}, call.context()); !made)
      done = std::unexpected(made.error());
  } else {
    done = registry.delete_items(collection, {&id, 1}, call.context());
  }
  if (!done) return std::unexpected(done.error());
  return "null";
}

}  // namespace hearth::api
