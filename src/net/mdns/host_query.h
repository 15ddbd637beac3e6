// SPDX-License-Identifier: Apache-2.0
// Asks the network once for a name, as a program without a responder of its own does (RFC 6762 §5.1).
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace hearth::net {

// The question for an IPv4 address of `host`.local; `host` is one label.
std::string host_question(std::string_view host);
// True for an answer to that question.
bool answers_question(std::string_view answer, std::string_view question);

// True if some machine says within `patience` that it is `host`.local. Asks on all networks of this one, by IPv4.
bool host_answers(std::string_view host, std::chrono::milliseconds patience);

}  // namespace hearth::net
