// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/media/media.h"

#include <fmt/format.h>

#include <utility>

#include "core/rights/rights.h"
#include "integrations/home_assistant/calls/refusal.h"
#include "integrations/home_assistant/media/refusals.h"

namespace hearth::integrations::home_assistant {
namespace {

FilesThere::Access access_of(const Options& options) {
  FilesThere::Access access{.who = fmt::format("{} (Home Assistant)", options.name), .request = {}};
  access.request.url = options.url.substr(0, options.url.find_last_not_of('/') + 1);
  access.request.headers = {{"Authorization", fmt::format("Bearer {}", options.token.reveal())}};
  access.request.verify_certificate = options.verify_certificate;
  access.request.authorities = options.certificate;
  return access;
}

std::string_view given_text(const json::object& object, std::string_view key) {
  const json::value* const found = object.if_contains(key);
  return found && found->is_string() ? std::string_view(found->get_string()) : std::string_view();
}

// A session of a video talk is not begun again by itself.
bool goes_on(const json::object& command) {
  return given_text(command, "type") != "camera/webrtc/offer";
}

std::string with_query(std::string path, std::string_view query) {
  if (!query.empty()) path.append("?").append(query);
  return path;
}

std::string encoded_time(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '.';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

constexpr net::HttpBounds kBounds{.most = 3 * FilesThere::kMost, .of_a_host = 3 * FilesThere::kMost};

}  // namespace

Media::Media(const domains::IntegrationHome& home, const Options& options, const MirroredIds& ids, Requests& requests,
             Addresses& addresses)
    : hub_(home.hub),
      options_(options),
      ids_(ids),
      requests_(requests),
      addresses_(addresses),
      access_(access_of(options)),
      http_(*home.reactor, home.bus.poster(), kBounds),
      pictures_(home.bus, http_, access_, is_picture, FilesThere::kShared),
      videos_(home.bus, http_, access_, is_video, std::chrono::seconds(0)),
      answers_(home.bus, http_, access_, is_json, std::chrono::seconds(0)),
      streams_(home.bus, *home.reactor, access_),
      added_(hub_.other_hubs->add(std::string(ids.provider()), *this)) {}

Media::~Media() = default;

void Media::connected() {
  connected_ = true;
  addresses_.prune();
}

void Media::lost() {
  connected_ = false;
  for (auto& [id, each] : subscribed_) each.handle = {};
  std::erase_if(subscribed_, [](const auto& each) { return !each.second.again; });
}

void Media::running() {
  for (auto& [id, each] : subscribed_) {
    if (!each.handle) each.handle = subscribe_there(id, nullptr);
  }
}

void Media::picture(std::string_view entity_id, std::string_view rest, std::string_view query, Done<BodyPtr> done) {
  if (!connected_) return done(std::unexpected(unreachable_error(who())));
  std::string path = addresses_.picture_of(entity_id, ids_);
  if (path.empty()) return done(std::unexpected(not_there(who(), "does not provide this entity")));
  if (!rest.empty()) path = with_query(fmt::format("{}/{}", path, rest), query);
  pictures_.get(path, std::move(done));
}

void Media::stream(std::string_view entity_id, Done<OpenedStream> done) {
  if (!connected_) return done(std::unexpected(unreachable_error(who())));
  const std::string_view there = ids_.entity_there(entity_id);
  if (there.empty()) return done(std::unexpected(not_there(who(), "does not provide this entity")));
  streams_.open(fmt::format("/api/camera_proxy_stream/{}", there), std::move(done));
}

void Media::file(std::string_view path, std::string_view rest, std::string_view query, Done<BodyPtr> done) {
  if (!connected_) return done(std::unexpected(unreachable_error(who())));
  videos_.get(with_query(fmt::format("{}/{}", path, rest), query), std::move(done));
}

void Media::events(std::string_view entity_id, std::string_view start, std::string_view end, Done<json::value> done) {
  if (!connected_) return done(std::unexpected(unreachable_error(who())));
  const std::string_view there = ids_.entity_there(entity_id);
  if (there.empty()) return done(std::unexpected(not_there(who(), "does not provide this entity")));
  const std::string path =
      fmt::format("/api/calendars/{}?start={}&end={}", there, encoded_time(start), encoded_time(end));
  answers_.get(path, [done = std::move(done), who = who()](const base::Result<BodyPtr>& answer) {
    if (!answer) return done(std::unexpected(answer.error()));
    const auto parsed = base::parse_json((*answer)->bytes);
    if (!parsed || !parsed->is_array()) return done(std::unexpected(is_wrong(who, "sends no list of events")));
    done(*parsed);
  });
}

bool Media::translate(json::object& command) const {
  if (const std::string id(given_text(command, "entity_id")); !id.empty()) {
    const std::string_view there = ids_.entity_there(id);
    if (there.empty()) return false;
    command["entity_id"] = there;
    return true;
  }
  const std::string content(given_text(command, "media_content_id"));
  const std::size_t last = content.rfind('/') + 1;
  const std::string_view there = ids_.entity_there(std::string_view(content).substr(last));
  if (there.empty()) return false;
  command["media_content_id"] = content.substr(0, last).append(there);
  return true;
}

base::Result<void> Media::may_control(std::string_view entity_id) const {
  if (options_.control_all) return {};
  const core::Selection may{.entities = {options_.control_entities.begin(), options_.control_entities.end()},
                            .domains = {options_.control_domains.begin(), options_.control_domains.end()},
                            .areas = {options_.control_areas.begin(), options_.control_areas.end()},
                            .labels = {options_.control_labels.begin(), options_.control_labels.end()}};
  if (may.names(entity_id, *hub_.registry.snapshot())) return {};
  return base::fail(base::ErrorCode::forbidden,
                    fmt::format("The section home_assistant does not let this home control {} there.", entity_id));
}

base::Result<void> Media::may_ask() const {
  if (!connected_) return std::unexpected(unreachable_error(who()));
  if (asked_ >= kMostAsked) return std::unexpected(too_much(who()));
  return {};
}

void Media::ask(json::object command, bool controls, Done<json::value> done) {
  if (auto may = may_ask(); !may) return done(std::unexpected(std::move(may.error())));
  if (controls) {
    if (auto may = may_control(given_text(command, "entity_id")); !may)
      return done(std::unexpected(std::move(may.error())));
  }
  if (!translate(command)) return done(std::unexpected(not_there(who(), "does not provide this entity")));
  ask_there(std::move(command), kAnswer, std::move(done));
}

void Media::ask_there(json::object command, std::chrono::seconds limit, Done<json::value> done) {
  ++asked_;
  requests_.ask(std::move(command), limit, [self = std::weak_ptr(self_), done = std::move(done)](const Answer& answer) {
    const auto media = self.lock();
    if (!media) return;
    Media& it = **media;
    --it.asked_;
    if (answer.outcome != Answer::Outcome::done) return done(std::unexpected(refused_command(it.who(), answer)));
    done(it.addresses_.rewritten(answer.result, it.ids_));
  });
}

base::Handle Media::subscribe(json::object command, Done<json::value> done, std::function<void(json::value)> event) {
  json::object there = command;
  auto may = may_ask();
  if (may && subscribed_.size() >= kMostSubscribed) may = std::unexpected(too_much(who()));
  if (may && !translate(there)) may = std::unexpected(not_there(who(), "does not provide this entity"));
  if (!may) return done(std::unexpected(std::move(may.error()))), base::Handle();
  const std::uint64_t id = ++last_;
  const bool again = goes_on(command);
  subscribed_.emplace(id, Subscribed{std::move(command), std::move(event), again, {}});
  base::Handle handle = subscribe_there(id, done);
  // It may have been refused already.
  if (const auto one = subscribed_.find(id); one != subscribed_.end()) one->second.handle = std::move(handle);
  return base::Handle([self = std::weak_ptr(self_), id] {
    if (const auto media = self.lock()) (*media)->subscribed_.erase(id);
  });
}

base::Handle Media::subscribe_there(std::uint64_t id, const Done<json::value>& done) {
  json::object command = subscribed_.at(id).command;
  if (!translate(command)) return {};
  Requests::Done answered = nullptr;
  if (done) {
    answered = [self = std::weak_ptr(self_), id, done](const Answer& answer) {
      const auto media = self.lock();
      if (!media) return;
      Media& it = **media;
      if (answer.outcome == Answer::Outcome::done) return done(it.addresses_.rewritten(answer.result, it.ids_));
      const base::Error error = refused_command(it.who(), answer);
      it.subscribed_.erase(id);
      done(std::unexpected(error));
    };
  }
  return requests_.subscribe(std::move(command), std::move(answered),
                             [self = std::weak_ptr(self_), id](const json::value& event) {
                               const auto media = self.lock();
                               if (!media) return;
                               const auto found = (*media)->subscribed_.find(id);
                               if (found == (*media)->subscribed_.end()) return;
                               const auto hear = found->second.event;
                               hear((*media)->addresses_.rewritten(event, (*media)->ids_));
                             });
}

void Media::past(json::object command, Done<json::object> done) {
  if (auto may = may_ask(); !may) return done(std::unexpected(std::move(may.error())));
  std::map<std::string, std::string> here;  // by the id there
  for (const char* const key : {"entity_ids", "statistic_ids"}) {
    json::value* const ids = command.if_contains(key);
    json::array* const list = ids ? ids->if_array() : nullptr;
    if (!list) continue;
    json::array there;
    for (const json::value& each : *list) {
      const std::string_view id = each.is_string() ? std::string_view(each.get_string()) : std::string_view();
      const std::string_view found = ids_.entity_there(id);
      if (found.empty()) continue;
      here.emplace(found, id);
      there.push_back(json::value(found));
    }
    *ids = std::move(there);
  }
  if (here.empty()) return done(json::object());
  ask_there(std::move(command), kPast,
            [here = std::move(here), done = std::move(done), who = who()](base::Result<json::value> answer) {
              if (!answer) return done(std::unexpected(std::move(answer.error())));
              json::object* const of_entities = answer->if_object();
              if (!of_entities) return done(std::unexpected(is_wrong(who, "sends no past")));
              json::object past;
              for (auto& each : *of_entities) {
                const auto id = here.find(std::string(std::string_view(each.key())));
                if (id != here.end()) past.emplace(id->second, std::move(each.value()));
              }
              done(std::move(past));
            });
}

}  // namespace hearth::integrations::home_assistant
