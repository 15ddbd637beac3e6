// SPDX-License-Identifier: Apache-2.0
#include "auth/bcrypt.h"

#include <gtest/gtest.h>

#include <vector>

namespace hearth::auth {
namespace {

// Made by PyPI's bcrypt 4.2.1, except the first three, which are those of crypt_blowfish.
struct Vector {
  std::string hash, password;
};
const std::vector<Vector> kVectors{
    {"$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "U*U"},
    {"$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK", "U*U*"},
    {"$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a", "U*U*U"},
    {"$2a$06$k9Vwi5xcMAAFEYvHbbzsKuVWAEkIULiVsOdhzcGbpWyt.xU45h5hO", "small lamps"},
    {"$2b$04$k9Vwi5xcMAAFEYvHbbzsKuCcOY605RF63MjXi7QEZ5qEcYishg9BW", "small lamps"},
    {"$2b$04$ZJ3eSHQpuLNhVUZxmcgnFOfQS.cfHMhpKcwcZMWu4bJ4y4YCJ.KqS", "kleine Lämpchen"},
    {"$2b$12$k9Vwi5xcMAAFEYvHbbzsKunx5u4NU8z5s8DwB36kuK9D0AcIprhaq", "small lamps"},
    {"$2y$05$k9Vwi5xcMAAFEYvHbbzsKuhvFC429D.Cl1K4FLe.1f4i6GRPjyLmq", "small lamps"},
    {"$2y$05$k9Vwi5xcMAAFEYvHbbzsKuFbziwBP3MoNU13vAFnLu/kuo0MsfP1a", "\xFF\xA3\xFF\xA3\xFF\xA3"},
    {"$2b$04$k9Vwi5xcMAAFEYvHbbzsKugTTYESKIA89A7vjr7i.DoYl4M50hq62", ""},
};

std::string wrong(std::string_view hash) {
  const auto cost = bcrypt_cost(hash);
  return cost ? "cost " + std::to_string(*cost) : cost.error().message;
}

TEST(Bcrypt, MatchesWhatOthersHaveMade) {
  for (const auto& [hash, password] : kVectors) {
    EXPECT_TRUE(bcrypt_cost(hash)) << hash;
    EXPECT_TRUE(bcrypt_matches(hash, password)) << hash;
    EXPECT_FALSE(bcrypt_matches(hash, password + "x")) << hash;
    EXPECT_FALSE(bcrypt_matches(hash, "x" + password)) << hash;
  }
}

TEST(Bcrypt, LooksAtTheFirst72Bytes) {
  const std::string hash = "$2b$04$k9Vwi5xcMAAFEYvHbbzsKunrKEZIkWhbIL/4WrxNvHVnlU1Fi.uuW";
  const std::string password = std::string(71, 'a') + 'b';
  EXPECT_TRUE(bcrypt_matches(hash, password));
  EXPECT_TRUE(bcrypt_matches(hash, password + "tail"));
  EXPECT_TRUE(bcrypt_matches(hash, password + std::string(1'000, 'x')));
  EXPECT_FALSE(bcrypt_matches(hash, std::string(71, 'a')));
  EXPECT_FALSE(bcrypt_matches(hash, std::string(72, 'a')));
}

TEST(Bcrypt, MatchesNoPasswordWithANulByte) {
  using namespace std::string_literals;
  for (const auto& [hash, password] : kVectors) {
    EXPECT_FALSE(bcrypt_matches(hash, password + "\0"s)) << hash;
    EXPECT_FALSE(bcrypt_matches(hash, password + "\0more"s)) << hash;
  }
  const std::string hash = "$2b$04$k9Vwi5xcMAAFEYvHbbzsKunrKEZIkWhbIL/4WrxNvHVnlU1Fi.uuW";
  EXPECT_FALSE(bcrypt_matches(hash, std::string(71, 'a') + "b\0"s)) << "behind the 72nd byte, too";
}

TEST(Bcrypt, HasACostFrom4To14) {
  const std::string rest = "$k9Vwi5xcMAAFEYvHbbzsKuCcOY605RF63MjXi7QEZ5qEcYishg9BW";
  EXPECT_EQ("cost 4", wrong("$2a$04" + rest));
  EXPECT_EQ("cost 14", wrong("$2y$14" + rest));
  EXPECT_EQ("A bcrypt hash of cost 3: 4 to 14 are taken.", wrong("$2b$03" + rest));
  EXPECT_EQ("A bcrypt hash of cost 15: 4 to 14 are taken.", wrong("$2b$15" + rest));
  EXPECT_EQ("A bcrypt hash of cost 31: 4 to 14 are taken.", wrong("$2b$31" + rest));
}

TEST(Bcrypt, SaysWhatIsWrongWithAHashAndShowsNothingOfIt) {
  const std::string good = kVectors[4].hash;
  const std::string kind = "A password from elsewhere is a bcrypt hash: it begins with $2a$, $2b$ or $2y$.";
  for (const char* other :
       {"", "$2$04$", "$2x$04$abc", "$6$rounds=5000$abc$def", "small lamps", "$argon2id$v=19$m=65536"}) {
    EXPECT_EQ(kind, wrong(other)) << other;
  }
  EXPECT_EQ("A bcrypt hash has 60 characters, not 59.", wrong(good.substr(0, 59)));
  EXPECT_EQ("A bcrypt hash has 60 characters, not 61.", wrong(good + "a"));
  const std::string damaged =
      "This bcrypt hash is damaged: a cost of two digits, $, and 53 letters and digits were expected.";
  for (const std::size_t at : {4, 5, 6, 7, 30, 59}) {
    std::string broken = good;
    broken[at] = '!';
    EXPECT_EQ(damaged, wrong(broken)) << at;
    broken[at] = '\0';
    EXPECT_EQ(damaged, wrong(broken)) << at;
  }
}

}  // namespace
}  // namespace hearth::auth
