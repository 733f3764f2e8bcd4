-- Identifiers of datasets and reports are unique within an organization only: two organizations may
-- import the same report. Every link repeats organization_id, so that the foreign keys themselves
-- keep one organization's rows from pointing at another's.

CREATE TABLE organizations (
  id           uuid PRIMARY KEY,
  slug         text NOT NULL UNIQUE,
  name         text NOT NULL,
  accent_color text NOT NULL CHECK (accent_color ~ '^#[0-9a-f]{6}$'),
  created_at   timestamptz NOT NULL DEFAULT now()
);

-- Origins at which the portal answers in the organization's name.
CREATE TABLE organization_addresses (
  origin          text PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE
);
CREATE INDEX organization_addresses_by_organization ON organization_addresses (organization_id);

-- Origins whose pages may show the organization's portal in a frame.
CREATE TABLE organization_embed_origins (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  origin          text NOT NULL,
  PRIMARY KEY (organization_id, origin)
);

CREATE TABLE api_keys (
  id              uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name            text NOT NULL,
  key_hash        bytea NOT NULL UNIQUE,
  permissions     text[] NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz,
  revoked_at      timestamptz
);
CREATE INDEX api_keys_by_organization ON api_keys (organization_id);

CREATE TABLE users (
  organization_id      uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id                   uuid NOT NULL,
  email                text NOT NULL,
  -- The e-mail in lower case, by which it is unique, found and sorted.
  email_key            text NOT NULL,
  name                 text NOT NULL,
  role                 smallint NOT NULL CHECK (role BETWEEN 1 AND 4),
  report_landing_page  text,
  department           text NOT NULL DEFAULT '',
  expiration_date      timestamptz,
  directory_ad_user    text,
  can_edit_report      boolean NOT NULL,
  can_create_report    boolean NOT NULL,
  can_overwrite_report boolean NOT NULL,
  created_at           timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX users_by_email ON users (organization_id, email_key COLLATE "C");

CREATE TABLE groups (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id              uuid NOT NULL,
  name            text NOT NULL,
  PRIMARY KEY (organization_id, id)
);

CREATE TABLE group_members (
  organization_id uuid NOT NULL,
  group_id        uuid NOT NULL,
  user_id         uuid NOT NULL,
  PRIMARY KEY (organization_id, user_id, group_id),
  FOREIGN KEY (organization_id, group_id) REFERENCES groups ON DELETE CASCADE,
  FOREIGN KEY (organization_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX group_members_by_group ON group_members (organization_id, group_id);

CREATE TABLE workspaces (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id              uuid NOT NULL,
  name            text NOT NULL,
  PRIMARY KEY (organization_id, id)
);

CREATE TABLE datasets (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id              uuid NOT NULL,
  -- The Table of a custom filter's `Table/Column`.
  name            text NOT NULL,
  -- File name within the dataset root.
  file            text NOT NULL,
  PRIMARY KEY (organization_id, id)
);

CREATE TABLE reports (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id              uuid NOT NULL,
  name            text NOT NULL,
  description     text,
  dataset_id      uuid NOT NULL,
  workspace_id    uuid NOT NULL,
  report_type     smallint NOT NULL,
  definition      jsonb NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, dataset_id) REFERENCES datasets ON DELETE CASCADE,
  FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces
);
CREATE INDEX reports_by_name ON reports (organization_id, name COLLATE "C", id);

CREATE TABLE report_users (
  organization_id uuid NOT NULL,
  report_id       uuid NOT NULL,
  user_id         uuid NOT NULL,
  PRIMARY KEY (organization_id, user_id, report_id),
  FOREIGN KEY (organization_id, report_id) REFERENCES reports ON DELETE CASCADE,
  FOREIGN KEY (organization_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX report_users_by_report ON report_users (organization_id, report_id);

CREATE TABLE report_groups (
  organization_id uuid NOT NULL,
  report_id       uuid NOT NULL,
  group_id        uuid NOT NULL,
  PRIMARY KEY (organization_id, group_id, report_id),
  FOREIGN KEY (organization_id, report_id) REFERENCES reports ON DELETE CASCADE,
  FOREIGN KEY (organization_id, group_id) REFERENCES groups ON DELETE CASCADE
);
CREATE INDEX report_groups_by_report ON report_groups (organization_id, report_id);

CREATE TABLE rls_roles (
  organization_id uuid NOT NULL,
  id              uuid NOT NULL,
  dataset_id      uuid NOT NULL,
  name            text NOT NULL,
  predicate       jsonb NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, dataset_id) REFERENCES datasets ON DELETE CASCADE
);
CREATE UNIQUE INDEX rls_roles_by_name ON rls_roles (organization_id, dataset_id, name COLLATE "C");

CREATE TABLE rls_role_users (
  organization_id uuid NOT NULL,
  role_id         uuid NOT NULL,
  user_id         uuid NOT NULL,
  PRIMARY KEY (organization_id, user_id, role_id),
  FOREIGN KEY (organization_id, role_id) REFERENCES rls_roles ON DELETE CASCADE,
  FOREIGN KEY (organization_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX rls_role_users_by_role ON rls_role_users (organization_id, role_id);

CREATE TABLE rls_role_groups (
  organization_id uuid NOT NULL,
  role_id         uuid NOT NULL,
  group_id        uuid NOT NULL,
  PRIMARY KEY (organization_id, group_id, role_id),
  FOREIGN KEY (organization_id, role_id) REFERENCES rls_roles ON DELETE CASCADE,
  FOREIGN KEY (organization_id, group_id) REFERENCES groups ON DELETE CASCADE
);
CREATE INDEX rls_role_groups_by_role ON rls_role_groups (organization_id, role_id);

-- Who may open what, and who has which role: their own links and their groups'.
CREATE VIEW readable_reports AS
  SELECT organization_id, user_id, report_id FROM report_users
  UNION
  SELECT organization_id, user_id, report_id
  FROM group_members JOIN report_groups USING (organization_id, group_id);

CREATE VIEW held_rls_roles AS
  SELECT organization_id, user_id, role_id FROM rls_role_users
  UNION
  SELECT organization_id, user_id, role_id
  FROM group_members JOIN rls_role_groups USING (organization_id, group_id);

-- Issued, redeemed and expired are derived from the two moments; there is no state to get wrong.
CREATE TABLE identity_urls (
  token_hash      bytea PRIMARY KEY,
  organization_id uuid NOT NULL,
  user_id         uuid NOT NULL,
  -- The e-mail as the mint named it.
  user_email      text NOT NULL,
  -- The portal address that may redeem it.
  address         text NOT NULL,
  report_id       uuid,
  hide_menu       boolean NOT NULL,
  hide_navbar     boolean NOT NULL,
  hide_sidebar    boolean NOT NULL,
  custom_filters  jsonb NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz NOT NULL,
  used_at         timestamptz,
  FOREIGN KEY (organization_id, user_id) REFERENCES users ON DELETE CASCADE,
  FOREIGN KEY (organization_id, report_id) REFERENCES reports ON DELETE CASCADE
);
CREATE INDEX identity_urls_by_user ON identity_urls (organization_id, user_id);
CREATE INDEX identity_urls_by_report ON identity_urls (organization_id, report_id);
CREATE INDEX identity_urls_by_expiry ON identity_urls (expires_at);

CREATE TABLE portal_sessions (
  bearer_hash     bytea PRIMARY KEY,
  organization_id uuid NOT NULL,
  user_id         uuid NOT NULL,
  user_email      text NOT NULL,
  address         text NOT NULL,
  report_id       uuid,
  hide_menu       boolean NOT NULL,
  hide_navbar     boolean NOT NULL,
  hide_sidebar    boolean NOT NULL,
  custom_filters  jsonb NOT NULL,
  -- Reports whose opening this session has been audited for.
  opened_reports  uuid[] NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  touched_at      timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (organization_id, user_id) REFERENCES users ON DELETE CASCADE,
  FOREIGN KEY (organization_id, report_id) REFERENCES reports ON DELETE CASCADE
);
CREATE INDEX portal_sessions_by_user ON portal_sessions (organization_id, user_id);
CREATE INDEX portal_sessions_by_report ON portal_sessions (organization_id, report_id);
CREATE INDEX portal_sessions_by_touch ON portal_sessions (touched_at);

-- No foreign keys to users and reports: the log outlives them.
CREATE TABLE audit_entries (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id              uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  user_id         uuid NOT NULL,
  user_email      text NOT NULL,
  user_email_key  text NOT NULL,
  report_id       uuid NOT NULL,
  report_name     text NOT NULL,
  action          smallint NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_entries_by_time ON audit_entries (organization_id, created_at DESC, id DESC);
CREATE INDEX audit_entries_by_user ON audit_entries (organization_id, user_email_key, created_at DESC, id DESC);
