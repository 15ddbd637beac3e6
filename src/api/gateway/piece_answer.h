// SPDX-License-Identifier: Apache-2.0
// Answers requests piece by piece: the history's thread makes each piece when the client has read the one before. A
// short answer is like any other; of a longer one at most one piece is held at a time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/view.h"
#include "http/messages/handler.h"
#include "recorder/history.h"

namespace hearth::api {

// Appends up to about so many bytes and says whether there is more; may return with less, for others to have their
// turn. Called on the thread of history, one call at a time.
using PieceMaker =
    std::function<base::Result<bool>(recorder::HistoryReader& reader, std::string& out, std::size_t bytes)>;

// About how many bytes a question about these entities keeps alive.
std::size_t weight_of(const std::vector<std::string>& entity_ids);

// Any thread; it does not wait. The answer knows of all that was written before the call, and waits for a place among
// the questions at work. 503 if there is no history, or it or the bus has too much to do. A failure in the first piece
// is answered as such; later the connection is cut. `weight`: about how many bytes `make` keeps alive.
void answer_in_pieces(const core::View& home, recorder::History* history, http::Responder responder, std::size_t weight,
                      PieceMaker make);

// The same as one text, for answers that cannot be sent in parts; fails with invalid where it would be longer than
// `most` bytes. `done` is called on any thread.
void collect_pieces(const core::View& home, recorder::History* history, std::size_t most, std::size_t weight,
                    PieceMaker make, std::function<void(base::Result<std::string>)> done);

}  // namespace hearth::api
