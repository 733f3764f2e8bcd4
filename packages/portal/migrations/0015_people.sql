-- Oldest release: 0.1.0
-- Labels on users.
CREATE TABLE companies (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id              uuid NOT NULL,
  name            text NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX companies_by_name ON companies (organization_id, name COLLATE "C");

CREATE TABLE company_users (
  organization_id uuid NOT NULL,
  company_id      uuid NOT NULL,
  user_id         uuid NOT NULL,
  PRIMARY KEY (organization_id, user_id, company_id),
  FOREIGN KEY (organization_id, company_id) REFERENCES companies ON DELETE CASCADE,
  FOREIGN KEY (organization_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX company_users_by_company ON company_users (organization_id, company_id);

-- Filters of the list of users.
CREATE INDEX users_by_role ON users (organization_id, role, email_key);
CREATE INDEX users_by_expiry ON users (organization_id, expiration_date)
  WHERE expiration_date IS NOT NULL;

-- The administrator or operator who views the portal as the user. NULL: the user reads.
ALTER TABLE identity_urls
  ADD COLUMN actor_session_id uuid REFERENCES admin_sessions ON DELETE CASCADE,
  ADD COLUMN actor_id uuid,
  ADD COLUMN actor_email text,
  ADD CHECK (num_nulls(actor_session_id, actor_id, actor_email) IN (0, 3));
ALTER TABLE portal_sessions
  ADD COLUMN actor_session_id uuid REFERENCES admin_sessions ON DELETE CASCADE,
  ADD COLUMN actor_id uuid,
  ADD COLUMN actor_email text,
  ADD CHECK (num_nulls(actor_session_id, actor_id, actor_email) IN (0, 3));
CREATE INDEX identity_urls_by_actor ON identity_urls (actor_session_id)
  WHERE actor_session_id IS NOT NULL;
CREATE INDEX portal_sessions_by_actor ON portal_sessions (actor_session_id)
  WHERE actor_session_id IS NOT NULL;

-- Few entries of the access log are of viewing as another user.
CREATE INDEX audit_entries_viewed_as
  ON audit_entries (organization_id, created_at DESC, id DESC) WHERE action = 3;
