// SPDX-License-Identifier: Apache-2.0
// The tables of users, tokens and sessions in home.db. Used inside auth only.
#pragma once

#include <array>
#include <string_view>

namespace hearth::auth {

// account_changes holds the last thousand changes that affect who may log in, made by any process, but no notes of use.
// token_hashes holds further hashes of tokens that have several, besides the one in their row.
constexpr std::array<std::string_view, 14> kAccountSteps{R"(
  CREATE TABLE users(
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    folded_name TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK(role IN ('administrator', 'user', 'reader')),
    active INTEGER NOT NULL CHECK(active IN (0, 1)),
    password TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE tokens(
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE CHECK(length(hash) = 32),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    UNIQUE(user_id, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE token_uses(
    token_id TEXT PRIMARY KEY REFERENCES tokens(id) ON DELETE CASCADE,
    used_at INTEGER NOT NULL,
    used_from TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE account_revision(revision INTEGER NOT NULL) STRICT;
  INSERT INTO account_revision VALUES(1);
  CREATE TRIGGER user_added AFTER INSERT ON users BEGIN UPDATE account_revision SET revision = revision + 1; END;
  CREATE TRIGGER user_changed AFTER UPDATE OF id, name, role, active ON users
    BEGIN UPDATE account_revision SET revision = revision + 1; END;
  CREATE TRIGGER user_deleted AFTER DELETE ON users BEGIN UPDATE account_revision SET revision = revision + 1; END;
  CREATE TRIGGER token_added AFTER INSERT ON tokens BEGIN UPDATE account_revision SET revision = revision + 1; END;
  CREATE TRIGGER token_changed AFTER UPDATE ON tokens BEGIN UPDATE account_revision SET revision = revision + 1; END;
  CREATE TRIGGER token_deleted AFTER DELETE ON tokens BEGIN UPDATE account_revision SET revision = revision + 1; END;
)",
                                                         R"(
  ALTER TABLE users ADD COLUMN display_name TEXT NOT NULL DEFAULT '';
  UPDATE users SET display_name = name;
  ALTER TABLE tokens ADD COLUMN icon TEXT;

  CREATE TABLE sessions(
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE CHECK(length(hash) = 32),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    used_from TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_of_user ON sessions(user_id);

  CREATE TABLE access_tokens(
    hash BLOB PRIMARY KEY CHECK(length(hash) = 32),
    session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX access_tokens_of_session ON access_tokens(session_id, expires_at);

  CREATE TRIGGER user_renamed AFTER UPDATE OF display_name ON users
    BEGIN UPDATE account_revision SET revision = revision + 1; END;
  CREATE TRIGGER session_deleted AFTER DELETE ON sessions
    BEGIN UPDATE account_revision SET revision = revision + 1; END;
  CREATE TRIGGER access_token_added AFTER INSERT ON access_tokens
    BEGIN UPDATE account_revision SET revision = revision + 1; END;
  CREATE TRIGGER access_token_changed AFTER UPDATE ON access_tokens
    BEGIN UPDATE account_revision SET revision = revision + 1; END;
  CREATE TRIGGER access_token_deleted AFTER DELETE ON access_tokens
    BEGIN UPDATE account_revision SET revision = revision + 1; END;
)",
                                                         R"(
  CREATE TABLE user_data(
    user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY(user_id, key)
  ) STRICT, WITHOUT ROWID;
)",
                                                         R"(
  ALTER TABLE users ADD COLUMN password_version INTEGER NOT NULL DEFAULT 0;
)",
                                                         R"(
  CREATE TABLE account_changes(
    revision INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK(kind IN ('user', 'token', 'session')),
    id TEXT NOT NULL
  ) STRICT;
  INSERT INTO account_changes(revision, kind, id) SELECT revision, 'user', '' FROM account_revision;
  CREATE TRIGGER account_changes_bounded AFTER INSERT ON account_changes
    BEGIN DELETE FROM account_changes WHERE revision <= NEW.revision - 1000; END;

  DROP TRIGGER user_added;
  DROP TRIGGER user_changed;
  DROP TRIGGER user_renamed;
  DROP TRIGGER user_deleted;
  DROP TRIGGER token_added;
  DROP TRIGGER token_changed;
  DROP TRIGGER token_deleted;
  DROP TRIGGER session_deleted;
  DROP TRIGGER access_token_added;
  DROP TRIGGER access_token_changed;
  DROP TRIGGER access_token_deleted;
  DROP TABLE account_revision;

  CREATE TRIGGER user_added AFTER INSERT ON users
    BEGIN INSERT INTO account_changes(kind, id) VALUES('user', NEW.id); END;
  CREATE TRIGGER user_changed AFTER UPDATE OF id, name, role, active, display_name ON users
    BEGIN INSERT INTO account_changes(kind, id) VALUES('user', NEW.id); END;
  CREATE TRIGGER user_deleted AFTER DELETE ON users
    BEGIN INSERT INTO account_changes(kind, id) VALUES('user', OLD.id); END;
  CREATE TRIGGER token_added AFTER INSERT ON tokens
    BEGIN INSERT INTO account_changes(kind, id) VALUES('token', NEW.id); END;
  CREATE TRIGGER token_changed AFTER UPDATE ON tokens
    BEGIN INSERT INTO account_changes(kind, id) VALUES('token', NEW.id); END;
  CREATE TRIGGER token_deleted AFTER DELETE ON tokens
    BEGIN INSERT INTO account_changes(kind, id) VALUES('token', OLD.id); END;
  CREATE TRIGGER session_added AFTER INSERT ON sessions
    BEGIN INSERT INTO account_changes(kind, id) VALUES('session', NEW.id); END;
  CREATE TRIGGER session_deleted AFTER DELETE ON sessions
    BEGIN INSERT INTO account_changes(kind, id) VALUES('session', OLD.id); END;
  CREATE TRIGGER access_token_added AFTER INSERT ON access_tokens
    BEGIN INSERT INTO account_changes(kind, id) VALUES('session', NEW.session_id); END;
  CREATE TRIGGER access_token_changed AFTER UPDATE ON access_tokens
    BEGIN INSERT INTO account_changes(kind, id) VALUES('session', NEW.session_id); END;
  CREATE TRIGGER access_token_deleted AFTER DELETE ON access_tokens
    BEGIN INSERT INTO account_changes(kind, id) VALUES('session', OLD.session_id); END;
)",
                                                         R"(
  ALTER TABLE users ADD COLUMN rights TEXT;
  CREATE TRIGGER user_rights_changed AFTER UPDATE OF rights ON users
    BEGIN INSERT INTO account_changes(kind, id) VALUES('user', NEW.id); END;
)",
                                                         R"(
  ALTER TABLE sessions ADD COLUMN user_agent TEXT NOT NULL DEFAULT '';
  ALTER TABLE users ADD COLUMN login_at INTEGER;
  ALTER TABLE users ADD COLUMN previous_login_at INTEGER;

  CREATE TABLE failed_logins(
    id INTEGER PRIMARY KEY,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    address TEXT NOT NULL,
    account TEXT NOT NULL,
    purpose TEXT NOT NULL,
    failures INTEGER NOT NULL,
    closed INTEGER NOT NULL DEFAULT 0 CHECK(closed IN (0, 1))
  ) STRICT;
  CREATE INDEX failed_logins_of_account ON failed_logins(account, address, purpose);
)",
                                                         R"(
  ALTER TABLE tokens ADD COLUMN scope TEXT NOT NULL DEFAULT 'all';
)",
                                                         R"(
  ALTER TABLE tokens ADD COLUMN rights TEXT;
  ALTER TABLE tokens ADD COLUMN viewer_id TEXT REFERENCES users(id) ON DELETE CASCADE;
)",
                                                         R"(
  CREATE TABLE totp_secrets(
    user_id TEXT PRIMARY KEY REFERENCES users(id) ON DELETE CASCADE,
    secret BLOB NOT NULL CHECK(length(secret) BETWEEN 10 AND 64),
    created_at INTEGER NOT NULL,
    last_step INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE recovery_codes(
    user_id TEXT NOT NULL REFERENCES totp_secrets(user_id) ON DELETE CASCADE,
    hash BLOB NOT NULL CHECK(length(hash) = 32),
    PRIMARY KEY(user_id, hash)
  ) STRICT, WITHOUT ROWID;

  CREATE TRIGGER totp_secret_added AFTER INSERT ON totp_secrets
    BEGIN INSERT INTO account_changes(kind, id) VALUES('user', NEW.user_id); END;
  CREATE TRIGGER totp_secret_deleted AFTER DELETE ON totp_secrets
    BEGIN INSERT INTO account_changes(kind, id) VALUES('user', OLD.user_id); END;
)",
                                                         R"(
  CREATE TABLE former_refresh_tokens(
    hash BLOB PRIMARY KEY CHECK(length(hash) = 32),
    session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    replaced_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX former_refresh_tokens_of_session ON former_refresh_tokens(session_id, replaced_at);
)",
                                                         R"(
  CREATE TABLE passkeys(
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    algorithm INTEGER NOT NULL,
    public_key BLOB NOT NULL,
    counter INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER,
    closed INTEGER NOT NULL DEFAULT 0 CHECK(closed IN (0, 1)),
    UNIQUE(user_id, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TRIGGER passkey_added AFTER INSERT ON passkeys
    BEGIN INSERT INTO account_changes(kind, id) VALUES('user', NEW.user_id); END;
  CREATE TRIGGER passkey_deleted AFTER DELETE ON passkeys
    BEGIN INSERT INTO account_changes(kind, id) VALUES('user', OLD.user_id); END;
)",
                                                         R"(
  CREATE TABLE token_hashes(
    hash BLOB PRIMARY KEY CHECK(length(hash) = 32),
    token_id TEXT NOT NULL REFERENCES tokens(id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX token_hashes_of_token ON token_hashes(token_id);

  CREATE TRIGGER token_hash_added AFTER INSERT ON token_hashes
    BEGIN INSERT INTO account_changes(kind, id) VALUES('token', NEW.token_id); END;
  CREATE TRIGGER token_hash_deleted AFTER DELETE ON token_hashes
    WHEN EXISTS(SELECT 1 FROM tokens WHERE id = OLD.token_id)
    BEGIN INSERT INTO account_changes(kind, id) VALUES('token', OLD.token_id); END;
)",
                                                         R"(
  ALTER TABLE users ADD COLUMN ends_at INTEGER;
  CREATE TRIGGER user_end_changed AFTER UPDATE OF ends_at ON users
    BEGIN INSERT INTO account_changes(kind, id) VALUES('user', NEW.id); END;

  CREATE TABLE invitations(
    id TEXT PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE CHECK(length(hash) = 32),
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK(role IN ('administrator', 'user', 'reader')),
    rights TEXT,
    ends_at INTEGER,
    inviter_id TEXT REFERENCES users(id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER,
    used_by TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;
)"};

}  // namespace hearth::auth
