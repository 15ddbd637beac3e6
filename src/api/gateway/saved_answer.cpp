// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/saved_answer.h"

namespace hearth::api {

void send_when_saved(const Parts& parts, Durable durable, http::Responder responder,
                     base::Result<http::Response> response) {
  if (!response) return responder.send(http::Response::error(response.error()));
  if (!parts.waits(durable)) return responder.send(std::move(*response));
  struct Waiting {
    http::Responder responder;
    http::Response response;
  };
  auto waiting = std::make_shared<Waiting>(Waiting{std::move(responder), std::move(*response)});
  // The queue keeps everything alive that the answer shows of the change.
  parts.when_saved(durable, waiting->response.text.size(), [waiting](const base::Result<void>& saved) {
    waiting->responder.send(saved ? std::move(waiting->response) : http::Response::error(saved.error()));
  });
}

}  // namespace hearth::api
