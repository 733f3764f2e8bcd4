-- Oldest release: 0.2.0
-- Connections of organizations to other products, whose reports the catalogue lists. Without secrets.
CREATE TABLE platform_connections (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  platform text NOT NULL,
  -- In the platform's own shape.
  settings jsonb NOT NULL,
  connected_at timestamptz NOT NULL DEFAULT now(),
  -- The last synchronization: when it ended, why it failed, and sentences about what it left out.
  synced_at timestamptz,
  sync_failure text,
  sync_notes jsonb NOT NULL DEFAULT '[]',
  -- When the next one begins. An instance that begins one moves it on, so that no other begins, too.
  sync_due_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, platform)
);
