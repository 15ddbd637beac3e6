// SPDX-License-Identifier: Apache-2.0
// Reads a stream by consumers that acknowledge nothing and that the server forgets after half a minute. Messages are
// fetched in parts, so that nothing waits here but what was asked for.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "fleet/nats/nats_connection.h"
#include "fleet/nats/nats_links.h"
#include "fleet/nats/nats_stream.h"

namespace hearth::fleet {
namespace {

using namespace std::chrono_literals;
using base::ErrorCode;
using base::Result;
using Steady = std::chrono::steady_clock;

constexpr std::size_t kMostReadBytes = std::size_t{16} * 1024 * 1024;
// Messages of one request for the newest ones. Not a number of bytes: nats-server 2.9 loses the one that exceeds it.
constexpr std::size_t kMostLatest = 32;
constexpr auto kForgotten = 30s;
// A node that dies takes its consumers with it, and a request that waits there gets no answer: none waits longer.
constexpr base::Duration kLongestWait = 2s, kGrace = 1s;
constexpr int kConsumerAttempts = 3;
// For an answer; each attempt has as much more: a slow server is no dead one.
constexpr base::Duration kFirstAttempt = 2s;

struct ReadMessage {
  Message message;
  std::string consumer;
  std::uint64_t order = 0;    // among those of the consumer, from 1
  std::uint64_t pending = 0;  // how many more the consumer has
  bool of_site = false;
};

// $JS.ACK.STREAM.CONSUMER.DELIVERIES.PLACE.ORDER.NANOSECONDS.PENDING, and with domain and account before the stream in
// the longer form, which may have more at its end. Null for anything else.
std::optional<ReadMessage> read_message(const LinkOptions& options, NatsMessage&& from) {
  std::array<std::string_view, 12> tokens{};
  std::size_t count = 0;
  std::string_view rest = from.reply;
  while (!rest.empty() && count < tokens.size()) {
    const auto end = std::min(rest.find('.'), rest.size());
    tokens[count++] = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (count < 9 || tokens[0] != "$JS" || tokens[1] != "ACK") return {};
  const std::size_t at = count == 9 ? 5 : 7;
  std::array<std::uint64_t, 4> numbers{};  // place, order, time, pending
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string_view token = tokens[at + i];
    if (std::from_chars(token.data(), token.data() + token.size(), numbers[i]).ec != std::errc()) return {};
  }
  ReadMessage read{.message = {}, .consumer = std::string(tokens[at - 2]), .order = numbers[1], .pending = numbers[3]};
  read.message.place = numbers[0];
  read.message.kept_at =
      base::Timestamp(std::chrono::duration_cast<base::Duration>(std::chrono::nanoseconds(numbers[2])));
  if (auto origin = nats_origin(options, from.subject)) {
    read.of_site = true;
    read.message.kind = origin->kind;
    read.message.site = std::move(origin->site);
    read.message.payload = std::move(from.payload);
  }
  return read;
}

class NatsReader final : public FleetReader {
 public:
  NatsReader(const LinkOptions& options, const NatsWay& way)
      : options_(options),
        connection_(*way.library, {.link = options,
                                   .addresses = way.addresses,
                                   .name = "hearth portal, reader",
                                   .inbox = "_INBOX",
                                   .heard = {}}),
        stream_(connection_, options_) {}

  Result<std::string> name() override;
  Result<void> latest(const Take& take) override;
  Result<Messages> read(std::uint64_t after, std::size_t most, base::Duration patience) override;
  void cancel() override { connection_.cancel(); }

 private:
  // Where the server is for this reader.
  struct Consumer {
    std::string name;
    std::uint64_t times = 0;    // the connection with which it was made
    std::uint64_t read = 0;     // everything up to this place
    std::uint64_t order = 0;    // of the last message
    std::uint64_t pending = 0;  // that it has, as far as is known
  };

  Result<Consumer> make_consumer(json::object config);
  Result<void> seek(std::uint64_t after);
  struct Part {
    std::size_t most = 1;
    std::size_t bytes = 0;       // at most; 0: any
    base::Duration patience{0};  // for the first one
  };
  // They add to the list. Fail with not_found if the consumer is gone.
  Result<void> fetch(Consumer& consumer, std::vector<Message>& list, const Part& part);
  // Messages that are there, at least one if any is.
  Result<void> fetch_now(Consumer& consumer, std::vector<Message>& list, std::size_t most);
  Result<void> read_on(Messages& messages, std::uint64_t after, std::size_t most, Steady::time_point until);

  const LinkOptions options_;
  NatsConnection connection_;
  NatsStream stream_;
  std::string name_;
  std::optional<Consumer> consumer_;
  base::Duration answer_patience_ = kNatsPatience;  // for what is fetched without waiting
};

std::unexpected<base::Error> not_there(base::Error error) {
  error.code = ErrorCode::unavailable;
  return std::unexpected(std::move(error));
}

Result<std::string> NatsReader::name() {
  auto info = stream_.find_or_make();
  if (!info) return not_there(std::move(info.error()));
  if (info->created != name_) consumer_.reset();
  name_ = std::move(info->created);
  return name_;
}

Result<NatsReader::Consumer> NatsReader::make_consumer(json::object config) {
  config["ack_policy"] = "none";
  config["replay_policy"] = "instant";
  config["inactive_threshold"] = std::chrono::nanoseconds(kForgotten).count();
  config["num_replicas"] = 1;
  config["mem_storage"] = true;
  Consumer consumer;
  consumer.times = connection_.times();
  const auto made = stream_.ask("CONSUMER.CREATE." + options_.stream,
                                {{"stream_name", options_.stream}, {"config", std::move(config)}});
  if (!made) return std::unexpected(made.error());
  const auto* const name = made->if_contains("name");
  if (!name || !name->is_string()) return base::fail(ErrorCode::unavailable, "JetStream named no consumer.");
  consumer.name = name->get_string();
  // 2.9 may not say it before the first message.
  const auto* const pending = made->if_contains("num_pending");
  consumer.pending = pending && pending->if_int64() && *pending->if_int64() == 0 ? 0 : 1;
  return consumer;
}

Result<void> NatsReader::fetch(Consumer& consumer, std::vector<Message>& list, const Part& part) {
  json::object request = {{"batch", part.most}};
  if (part.bytes > 0) request["max_bytes"] = part.bytes;
  if (part.patience > 0s)
    request["expires"] = std::chrono::nanoseconds(part.patience).count();
  else
    request["no_wait"] = true;
  const std::string body = base::to_json(request);
  auto question = NatsQuestion::ask(
      connection_,
      {.subject = fmt::format("$JS.API.CONSUMER.MSG.NEXT.{}.{}", options_.stream, consumer.name), .payload = body});
  if (!question) return std::unexpected(std::move(question.error()));
  const auto gone = [] { return base::fail(ErrorCode::not_found, "The consumer is gone."); };
  for (std::size_t count = 0; count < part.most;) {
    auto answer = question->next(Steady::now() + (part.patience > 0s ? part.patience + kGrace : answer_patience_));
    if (!answer) return std::unexpected(std::move(answer.error()));
    // 404: there is none; 408: there is no more, or the time is over; 409: no room for the next one.
    if (answer->status == 404 || answer->status == 408) consumer.pending = 0;
    if (answer->status == 404 || answer->status == 408) return {};
    if (answer->status == 409 && answer->description.contains("MaxBytes")) return {};
    if (answer->status != 0) return gone();
    auto read = read_message(options_, std::move(*answer));
    if (read && read->consumer != consumer.name) continue;  // of a question that nobody asks any more
    // Otherwise a server has begun the consumer anew.
    if (!read || read->order != consumer.order + 1) return gone();
    ++count;
    consumer.order = read->order;
    consumer.pending = read->pending;
    // A node that is behind begins before the place that it was asked for.
    if (read->message.place <= consumer.read) continue;
    consumer.read = read->message.place;
    if (read->of_site) list.push_back(std::move(read->message));
  }
  return {};
}

Result<void> NatsReader::fetch_now(Consumer& consumer, std::vector<Message>& list, std::size_t most) {
  const auto order = consumer.order;
  auto fetched = fetch(consumer, list, {.most = most, .bytes = kMostReadBytes});
  if (!fetched || consumer.order != order || consumer.pending == 0) return fetched;
  return fetch(consumer, list, {.most = 1});  // it is larger than that
}

Result<void> NatsReader::latest(const Take& take) {
  answer_patience_ = kNatsPatience;
  for (const char* kind : {"registry", "snapshot.*"}) {
    auto consumer = make_consumer(
        {{"deliver_policy", "last_per_subject"}, {"filter_subject", fmt::format("{}.*.{}", options_.prefix, kind)}});
    if (!consumer) return not_there(std::move(consumer.error()));
    while (consumer->pending > 0) {
      std::vector<Message> piece;
      if (auto fetched = fetch(*consumer, piece, {.most = kMostLatest}); !fetched) {
        return not_there(std::move(fetched.error()));
      }
      if (!piece.empty()) take(std::move(piece));
    }
  }
  return {};
}

// Makes the consumer for what comes after the place.
Result<void> NatsReader::seek(std::uint64_t after) {
  if (consumer_ && consumer_->read == after && consumer_->times == connection_.times()) return {};
  consumer_.reset();
  auto made = make_consumer({{"deliver_policy", "by_start_sequence"}, {"opt_start_seq", after + 1}});
  if (!made) return std::unexpected(std::move(made.error()));
  made->read = after;
  consumer_ = std::move(*made);
  return {};
}

Result<void> NatsReader::read_on(Messages& messages, std::uint64_t after, std::size_t most, Steady::time_point until) {
  messages = {.list = {}, .until = after};
  if (auto sought = seek(after); !sought) return sought;
  while (true) {
    if (auto fetched = fetch_now(*consumer_, messages.list, most); !fetched) return fetched;
    const auto now = Steady::now();
    if (messages.list.empty() && now < until) {
      const auto wait = std::min(std::chrono::duration_cast<base::Duration>(until - now), kLongestWait);
      if (auto fetched = fetch(*consumer_, messages.list, {.most = 1, .patience = wait}); !fetched) return fetched;
      if (messages.list.empty()) continue;
      if (auto fetched = most > 1 ? fetch_now(*consumer_, messages.list, most - 1) : Result<void>(); !fetched) {
        return fetched;
      }
    }
    messages.until = consumer_->read;
    messages.at_end = consumer_->pending == 0;
    return {};
  }
}

Result<Messages> NatsReader::read(std::uint64_t after, std::size_t most, base::Duration patience) {
  const auto until = Steady::now() + patience;
  Messages messages;
  for (int attempt = 1;; ++attempt) {
    answer_patience_ = attempt * kFirstAttempt;
    if (!consumer_ || consumer_->times != connection_.times()) {
      const auto info = stream_.info();
      if (!info) return not_there(info.error());
      if (info->created != name_) return base::fail(ErrorCode::unavailable, "The stream is another one than before.");
      // The server has lost its last messages; their places are used again.
      if (info->last < after) return Messages{.list = {}, .until = info->last, .at_end = true};
    }
    auto done = read_on(messages, after, std::max<std::size_t>(most, 1), until);
    if (done && messages.list.empty()) {
      // Nothing came: is it still the stream that it was?
      const auto info = stream_.info();
      if (!info) return not_there(info.error());
      if (info->created != name_) return base::fail(ErrorCode::unavailable, "The stream is another one than before.");
      // Either the server has lost its last messages, or the consumer is on a node that is behind or has forgotten it.
      if (info->last != messages.until) consumer_.reset();
      messages.until = std::min(messages.until, info->last);
    }
    if (done) return messages;
    consumer_.reset();
    // Messages that have been read are not given away: the next attempt begins at `after` again.
    if (attempt == kConsumerAttempts) return not_there(std::move(done.error()));
  }
}

}  // namespace

std::unique_ptr<FleetReader> make_nats_reader(const LinkOptions& options, const NatsWay& way) {
  return std::make_unique<NatsReader>(options, way);
}

}  // namespace hearth::fleet
