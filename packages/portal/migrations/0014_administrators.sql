-- Oldest release: 0.1.0
-- Operators see all organizations. They belong to none.
CREATE TABLE operators (
  id         uuid PRIMARY KEY,
  email      text NOT NULL,
  email_key  text COLLATE "C" NOT NULL UNIQUE,
  name       text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Credentials of one user of one organization, or of one operator.
CREATE TABLE admin_accounts (
  id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid,
  user_id         uuid,
  operator_id     uuid UNIQUE REFERENCES operators ON DELETE CASCADE,
  -- argon2id. NULL: the account has no password.
  password_hash   text,
  created_at      timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users ON DELETE CASCADE,
  CHECK ((user_id IS NULL) = (organization_id IS NULL)),
  CHECK ((user_id IS NULL) <> (operator_id IS NULL))
);

-- A later invitation of an account replaces the earlier one. Accepting it deletes it.
CREATE TABLE admin_invitations (
  account_id uuid PRIMARY KEY REFERENCES admin_accounts ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL
);

CREATE TABLE admin_sessions (
  id               uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  token_hash       bytea NOT NULL UNIQUE,
  account_id       uuid NOT NULL REFERENCES admin_accounts ON DELETE CASCADE,
  user_agent       text NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT now(),
  touched_at       timestamptz NOT NULL DEFAULT now(),
  -- Of the latest password check.
  authenticated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX admin_sessions_by_account ON admin_sessions (account_id);
CREATE INDEX admin_sessions_by_touch ON admin_sessions (touched_at);

-- Attempts to sign in within a window, by a hash of what limits them.
CREATE TABLE sign_in_attempts (
  key        bytea PRIMARY KEY,
  attempts   integer NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_attempts_by_expiry ON sign_in_attempts (expires_at);

-- Networks from which an account has signed in: guesses from elsewhere do not lock them out.
CREATE TABLE admin_known_clients (
  account_id  uuid NOT NULL REFERENCES admin_accounts ON DELETE CASCADE,
  client_hash bytea NOT NULL,
  seen_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, client_hash)
);

-- A user is the third kind of actor. No foreign key: the log outlives the user.
ALTER TABLE activity_entries
  ADD COLUMN user_id uuid,
  ADD COLUMN user_email text,
  DROP CONSTRAINT activity_entries_check,
  ADD CONSTRAINT activity_entries_actor CHECK (num_nonnulls(api_key_id, operator, user_id) = 1) NOT VALID;
