// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/piece_answer.h"

#include <fmt/format.h>

#include "base/log/log.h"

namespace hearth::api {
namespace {

// The first piece is compressed, if the client wants it so.
constexpr std::size_t kFirstPiece = 1024 * 1024;
constexpr std::size_t kAnswerPiece = 256 * 1024;

base::Error busy() {
  return {base::ErrorCode::unavailable, "History has too much to do now; ask again in a moment."};
}

class Maker final : public http::PieceSource, public std::enable_shared_from_this<Maker> {
 public:
  using Ready = std::function<void(base::Result<Piece>)>;

  Maker(recorder::History& history, PieceMaker make) : history_(history), make_(std::move(make)) {}

  // After the task on the bus thread, the recorder has all that was written before; then it takes a place.
  void begin(const core::View& home, std::size_t weight, std::size_t size, const Ready& ready) {
    const auto posted = home.post(core::EventBus::kSmallTask + weight,
                                  [self = shared_from_this(), size, ready] { self->take_place(size, ready); });
    if (!posted) ready(std::unexpected(posted.error()));
  }

  // Turn by turn until the piece is large enough.
  void fill(std::string piece, std::size_t size, Ready ready) {
    const auto posted =
        history_.post([self = shared_from_this(), shared = std::make_shared<std::string>(std::move(piece)), size,
                       ready](recorder::HistoryReader& reader) {
          std::string& out = *shared;
          const auto more = self->make_(reader, out, size - out.size());
          if (!more)
            ready(std::unexpected(more.error()));
          else if (!*more || out.size() >= size)
            self->hand_over(Piece{std::move(out), *more}, ready);
          else
            self->fill(std::move(out), size, ready);
        });
    if (!posted) ready(std::unexpected(busy()));
  }

  void next(std::function<void(std::optional<Piece>)> ready) override {
    if (!place_->go_on()) {
      base::log_warning("recorder", "an answer was cut short: its client has not read it while others waited");
      return ready({});
    }
    fill({}, kAnswerPiece, [ready = std::move(ready)](base::Result<Piece> piece) {
      if (piece) return ready(std::move(*piece));
      base::log_warning("recorder", "an answer was cut short: {}", piece.error().message);
      ready({});
    });
  }

 private:
  using Places = recorder::QuestionPlaces;

  void take_place(std::size_t size, const Ready& ready) {
    const bool asked = history_.ask([self = shared_from_this(), size, ready](Places::PlacePtr place) {
      self->place_ = std::move(place);
      self->fill({}, size, ready);
    });
    if (!asked) ready(std::unexpected(busy()));
  }
  void hand_over(Piece piece, const Ready& ready) {
    if (piece.more)
      place_->rest(std::chrono::steady_clock::now());
    else
      place_.reset();
    ready(std::move(piece));
  }

  recorder::History& history_;
  Places::PlacePtr place_;
  const PieceMaker make_;
};

}  // namespace

std::size_t weight_of(const std::vector<std::string>& entity_ids) {
  std::size_t bytes = entity_ids.size() * sizeof(std::string);
  for (const std::string& id : entity_ids) bytes += id.size();
  return bytes;
}

void answer_in_pieces(const core::View& home, recorder::History* history, http::Responder responder, std::size_t weight,
                      PieceMaker make) {
  auto shared = std::make_shared<http::Responder>(std::move(responder));
  if (!history) {
    return shared->send(http::Response::error({base::ErrorCode::unavailable, "This hub keeps no history."}));
  }
  const auto maker = std::make_shared<Maker>(*history, std::move(make));
  maker->begin(home, weight, kFirstPiece, [shared, maker](base::Result<http::PieceSource::Piece> piece) {
    if (!piece) return shared->send(http::Response::error(piece.error()));
    http::Response response = http::Response::json(std::move(piece->bytes));
    if (piece->more) response.pieces = maker;
    shared->send(std::move(response));
  });
}

void collect_pieces(const core::View& home, recorder::History* history, std::size_t most, std::size_t weight,
                    PieceMaker make, std::function<void(base::Result<std::string>)> done) {
  if (!history) return done(base::fail(base::ErrorCode::unavailable, "This hub keeps no history."));
  const auto maker = std::make_shared<Maker>(*history, std::move(make));
  maker->begin(home, weight, most, [done = std::move(done), most](base::Result<http::PieceSource::Piece> piece) {
    if (!piece) return done(std::unexpected(std::move(piece.error())));
    if (!piece->more) return done(std::move(piece->bytes));
    done(base::fail(base::ErrorCode::invalid,
                    fmt::format("The answer would be longer than {} MiB: ask for fewer entities or a shorter time, or "
                                "for a stream.",
                                most >> 20)));
  });
}

}  // namespace hearth::api
