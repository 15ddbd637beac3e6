// SPDX-License-Identifier: Apache-2.0
// And GET /api/hls/{path}.
#include "api/elsewhere/pictures.h"

#include "api/elsewhere/path_text.h"
#include "api/elsewhere/refusal.h"
#include "api/rows.h"
#include "core/services/other_hub.h"

namespace hearth::api {
namespace {

using core::OtherHub;

void answer_with_body(http::Responder& responder, const base::Result<OtherHub::BodyPtr>& answer) {
  if (!answer) return responder.send(http::Response::error(answer.error()));
  const OtherHub::BodyPtr& body = *answer;
  http::Response response = http::Response::shared(body, body->bytes);
  response.content_type = body->content_type;
  response.negotiated = true;
  response.with_header("Content-Security-Policy", kPicturePolicy);
  responder.send(std::move(response));
}

// False when whoever asked may not go on: true for a picture's own token. Any thread.
using MayGoOn = std::function<bool()>;

class RestOfStream final : public http::PieceSource {
 public:
  RestOfStream(std::unique_ptr<OtherHub::Stream> stream, MayGoOn may_go_on)
      : stream_(std::move(stream)), may_go_on_(std::move(may_go_on)) {}
  void next(std::function<void(std::optional<Piece>)> ready) override {
    stream_->next([ready = std::move(ready), may_go_on = may_go_on_](std::optional<std::string> bytes) {
      // However it ends there, its parts have been whole or have not.
      if (bytes && may_go_on())
        ready(Piece{std::move(*bytes), true});
      else
        ready(Piece{{}, false});
    });
  }

 private:
  const std::unique_ptr<OtherHub::Stream> stream_;
  const MayGoOn may_go_on_;
};

void answer_with_stream(http::Responder& responder, base::Result<OtherHub::OpenedStream> answer, MayGoOn may_go_on) {
  if (!answer) return responder.send(http::Response::error(answer.error()));
  http::Response response;
  response.content_type = {};  // its boundary is of that stream
  response.with_header("Content-Type", answer->content_type);
  response.text = std::move(answer->first);
  response.pieces = std::make_shared<RestOfStream>(std::move(answer->rest), std::move(may_go_on));
  responder.send(std::move(response));
}

// Runs `ask` with the hub, or answers that there is none.
void with_hub(const Call& call, const std::string& hub, std::size_t weight,
              const std::shared_ptr<http::Responder>& responder, std::function<void(OtherHub&)> ask) {
  const auto posted = call.home.ask_elsewhere(hub, weight, [responder, hub, ask = std::move(ask)](OtherHub* there) {
    if (there) return ask(*there);
    responder->send(http::Response::error(gone(hub)));
  });
  if (!posted) responder->send(http::Response::error(posted.error()));
}

constexpr std::size_t kTokenSegment = 2;  // of /api/hls/TOKEN/…

// The path is the key: who has got it may follow it for an hour. Fails with not_found.
void get_lent_file(const Call& call, http::Responder responder) {
  const auto& target = call.request.target;
  const auto lent = call.home.other_hubs().lent(call.path(kTokenSegment), call.home.clock().steady_now());
  if (!lent || target.size() <= kTokenSegment + 1)
    return responder.send(http::Response::message(404, "There is no such video, or no longer."));
  const auto shared = std::make_shared<http::Responder>(std::move(responder));
  std::string rest = path_text(target, kTokenSegment + 1), query = query_text(target);
  const std::size_t weight = rest.size() + query.size();
  with_hub(call, lent->name, weight, shared,
           [shared, path = lent->path, rest = std::move(rest), query = std::move(query)](OtherHub& there) {
             there.file(path, rest, query, [shared](const auto& answer) { answer_with_body(*shared, answer); });
           });
}

constexpr Answer kLentFile[] = {{200, "The file, as the other hub gives it.", "File", "*/*"},
                                {502, "What the other hub sent is no such file.", "Message"},
                                {503, "The other hub cannot be reached.", "Message"}};

}  // namespace

void get_picture_elsewhere(const Call& call, const std::string& hub, const std::string& entity_id, std::size_t rest,
                           http::Responder responder) {
  const auto shared = std::make_shared<http::Responder>(std::move(responder));
  std::string path = path_text(call.request.target, rest), query;
  if (!path.empty()) query = query_text(call.request.target);
  const std::size_t weight = entity_id.size() + path.size() + query.size();
  with_hub(call, hub, weight, shared,
           [shared, entity_id, path = std::move(path), query = std::move(query)](OtherHub& there) {
             there.picture(entity_id, path, query, [shared](const auto& answer) { answer_with_body(*shared, answer); });
           });
}

void get_stream_elsewhere(const Call& call, const std::string& hub, const std::string& entity_id,
                          http::Responder responder) {
  const auto shared = std::make_shared<http::Responder>(std::move(responder));
  MayGoOn may_go_on = [&gate = call.gate, caller = call.caller] {
    return !caller || gate.authenticator.still_valid(*caller);
  };
  with_hub(call, hub, entity_id.size(), shared, [shared, entity_id, may_go_on](OtherHub& there) {
    there.stream(entity_id, [shared, may_go_on](base::Result<OtherHub::OpenedStream> answer) {
      answer_with_stream(*shared, std::move(answer), may_go_on);
    });
  });
}

constexpr Endpoint kLentFileEndpointRows[] = {
    {http::Verb::get,
     "/api/hls/{path}",
     Access::open,
     get_lent_file,
     Durable::no,
     "A part of a video of another hub",
     kLentFile,
     {},
     nullptr,
     true},
};
constexpr Endpoints kLentFileEndpoints = kLentFileEndpointRows;

}  // namespace hearth::api
