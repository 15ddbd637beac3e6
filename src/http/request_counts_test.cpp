// SPDX-License-Identifier: Apache-2.0
#include "http/request_counts.h"

#include <gtest/gtest.h>

#include "http/messages/request.h"
#include "http/messages/response.h"

namespace hearth::http {
namespace {

using std::chrono::microseconds;

TEST(RequestCounts, SumsTheWorkersByRouteAndStatus) {
  RequestCounts one(2), two(2);
  one.add(0, 200, microseconds(90));
  one.add(1, 404, microseconds(100));
  two.add(1, 404, microseconds(101));
  two.add(7, 200, microseconds(1));
  two.add(Request::kNoRoute, 404, std::chrono::seconds(9));
  const RequestCounts* const both[] = {&one, &two};
  const auto totals = RequestCounts::sum(both);
  std::vector<std::tuple<std::size_t, unsigned, std::uint64_t>> answered;
  for (const auto& each : totals.answered) answered.emplace_back(each.route, each.status, each.count);
  const decltype(answered) wanted = {{0, 200, 1}, {1, 404, 2}, {2, 200, 1}, {Request::kNoRoute, 404, 1}};
  EXPECT_EQ(wanted, answered);
  EXPECT_EQ(3, totals.within[0]);  // a bound belongs to its bucket
  EXPECT_EQ(1, totals.within[1]);
  EXPECT_EQ(1, totals.within.back());
  EXPECT_EQ(5, totals.count);
  EXPECT_EQ(std::chrono::seconds(9) + microseconds(292), totals.taken);
}

TEST(RequestCounts, CountsAnUnlistedStatusAsTheFirstOfItsHundred) {
  RequestCounts counts(1);
  counts.add(0, 418, microseconds(1));
  counts.add(0, 208, microseconds(1));
  counts.add(0, 999, microseconds(1));
  const RequestCounts* const all[] = {&counts};
  std::vector<unsigned> statuses;
  for (const auto& each : RequestCounts::sum(all).answered) statuses.push_back(each.status);
  EXPECT_EQ((std::vector<unsigned>{200, 400, 500}), statuses);
}

TEST(RequestCounts, ListsEachStatusThatTheServerCanName) {
  for (int status = 100; status < 600; ++status) {
    if (reason_phrase(status) == reason_phrase(599)) continue;  // none of its own
    EXPECT_NE(RequestCounts::kStatuses.end(),
              std::find(RequestCounts::kStatuses.begin(), RequestCounts::kStatuses.end(), status))
        << status;
  }
}

}  // namespace
}  // namespace hearth::http
