// SPDX-License-Identifier: Apache-2.0
// The states of one moment as a text that is made piece by piece, so that one piece is in memory at a time. Any thread,
// one at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/view.h"
#include "http/messages/body_file.h"

namespace hearth::api {

// `open`, what `append(out, state)` makes of each state with commas between, `close`. `append` returns false, and has
// appended nothing, if the state is left out. A piece has 64 KiB and what the last states of it are beyond that.
// `any`: `open` has elements already. `close` is a literal.
template <class Append>
http::BodySource state_pieces(core::ReadableStates states, std::string open, Append append, std::string_view close,
                              bool any = false) {
  return [states = std::move(states), open = std::move(open), append = std::move(append), close, part = std::size_t(0),
          any](std::string& out) mutable {
    constexpr std::size_t kAtOnce = 64 * 1024;
    const std::size_t end = out.size() + kAtOnce;
    out += std::exchange(open, {});
    for (; part < core::ReadableStates::kParts && out.size() < end; ++part) {
      states.for_each_in_part(part, [&](const core::State& state) {
        if (any) out += ',';
        if (append(out, state))
          any = true;
        else if (any)
          out.pop_back();
      });
    }
    if (part < core::ReadableStates::kParts) return true;
    out += close;
    return false;
  };
}

}  // namespace hearth::api
