// SPDX-License-Identifier: Apache-2.0
#include "api/rows.h"

namespace hearth::api {
namespace {

base::Result<http::Response> get_status(const Call&) {
  return http::Response::message(200, "API running.");
}

}  // namespace

constexpr Endpoint kStatusEndpointRows[] = {
    {http::Verb::get, "/api/", Access::open, get_status, Durable::no, "Whether the API is running", kMessage},
};
constexpr Endpoints kStatusEndpoints = kStatusEndpointRows;

}  // namespace hearth::api
