// SPDX-License-Identifier: Apache-2.0
// Questions of pages to the connections of one integration.
#include <fmt/format.h>

#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/connections/connections.h"
#include "base/text/utf8.h"

namespace hearth::app {

using base::ErrorCode;

namespace {

// The answers to one question, in the order of the connections.
class Answers {
 public:
  Answers(json::array known, std::size_t missing, api::Connections::Done done)
      : answers_(std::move(known)), missing_(missing), done_(std::move(done)) {}

  void put(std::size_t index, base::Result<json::object> answer) {
    if (!answer && !error_) error_ = std::move(answer.error());
    if (answer)
      for (auto& member : *answer) answers_[index].get_object()[member.key()] = std::move(member.value());
    if (--missing_ == 0) finish();
  }
  void finish() {
    if (error_) return done_(std::unexpected(std::move(*error_)));
    done_(json::object{{"answers", std::move(answers_)}});
  }

 private:
  json::array answers_;
  std::size_t missing_;
  std::optional<base::Error> error_;
  api::Connections::Done done_;
};

}  // namespace

void Connections::ask(std::string integration, std::string name, std::string what, json::object with,
                      core::Context context, Done done) {
  on_bus(std::move(done), [this, integration = std::move(integration), name = std::move(name), what = std::move(what),
                           with = std::move(with), context = std::move(context)](Done then) {
    json::array known;
    std::vector<std::pair<std::size_t, domains::Integration*>> running;
    const auto all = hub_.integrations.load();
    for (const core::IntegrationStatus& status : *all) {
      const core::Connection& connection = *status.connection;
      if (status.name != integration || (!name.empty() && connection.unique_id != name)) continue;
      if (domains::Integration* const there = runner_.running(connection.entry_id))
        running.emplace_back(known.size(), there);
      known.push_back(json::object{{"entry_id", connection.entry_id},
                                   {"name", connection.unique_id},
                                   {"title", connection.title},
                                   {"state", to_string(status.state)}});
    }
    if (!name.empty() && known.empty()) {
      return then(
          base::fail(ErrorCode::not_found, fmt::format("There is no connection {}.", base::utf8_excerpt(name))));
    }
    if (!name.empty() && running.empty())
      return then(base::fail(ErrorCode::unavailable, fmt::format("{} does not run.", base::utf8_excerpt(name))));
    const auto answers = std::make_shared<Answers>(std::move(known), running.size(), std::move(then));
    if (running.empty()) return answers->finish();
    for (const auto& [index, there] : running) {
      const auto put = [answers, index](base::Result<json::object> answer) { answers->put(index, std::move(answer)); };
      try {
        there->ask(what, with, context, put);
      } catch (const std::exception& error) {
        put(base::fail(ErrorCode::internal, error.what()));
      }
    }
  });
}

}  // namespace hearth::app
