-- Oldest release: 0.1.0
-- The identity provider of an organization. Its client secret is in the environment only.
CREATE TABLE organization_oidc (
  organization_id uuid PRIMARY KEY REFERENCES organizations ON DELETE CASCADE,
  -- New with each change, so that sign-ins that began before it fail.
  id              uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  issuer          text NOT NULL,
  client_id       text NOT NULL,
  -- Whether users may sign in with a password, too.
  passwords       boolean NOT NULL
);

-- Sign-ins for which a browser has gone to the identity provider. Finishing one deletes it.
CREATE TABLE admin_oidc_flows (
  state_hash   bytea PRIMARY KEY,
  -- Of the cookie of the browser that began it.
  browser_hash bytea NOT NULL,
  provider_id  uuid NOT NULL REFERENCES organization_oidc (id) ON DELETE CASCADE,
  -- The session that is confirmed. NULL: a new one begins.
  session_id   uuid REFERENCES admin_sessions ON DELETE CASCADE,
  nonce        text NOT NULL,
  verifier     text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX admin_oidc_flows_by_creation ON admin_oidc_flows (created_at);
CREATE INDEX admin_oidc_flows_by_provider ON admin_oidc_flows (provider_id);
CREATE INDEX admin_oidc_flows_by_session ON admin_oidc_flows (session_id);
