-- Oldest release: 0.2.0
-- Synchronizations and checks of connections to other products: waiting, running and ended ones. They
-- replace the columns of the last synchronization. Release 0.2 has no such connections.
CREATE TABLE platform_runs (
  organization_id uuid NOT NULL,
  platform text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('sync', 'check')),
  -- E-mail of a user, or name of an operator; NULL for a synchronization by the portal itself.
  requested_by text,
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- NULL until an instance takes it.
  started_at timestamptz,
  ended_at timestamptz,
  failure text,
  -- What changed, or what the check found.
  result jsonb,
  PRIMARY KEY (organization_id, platform, id),
  FOREIGN KEY (organization_id, platform) REFERENCES platform_connections ON DELETE CASCADE
);
-- A second request joins one that waits.
CREATE UNIQUE INDEX platform_runs_waiting ON platform_runs (organization_id, platform, kind)
  WHERE started_at IS NULL;

ALTER TABLE platform_connections
  DROP COLUMN synced_at,
  DROP COLUMN sync_failure,
  DROP COLUMN sync_notes;

-- An item that has gone from its product was archived by that product.
LOCK TABLE reports, datasets IN ACCESS EXCLUSIVE MODE;
ALTER TABLE reports
  DROP CONSTRAINT reports_archived_from_check,
  ADD CONSTRAINT reports_archived_from_check
    CHECK (archived_from IN ('files', 'pages', 'product'));
ALTER TABLE datasets
  DROP CONSTRAINT datasets_archived_from_check,
  ADD CONSTRAINT datasets_archived_from_check
    CHECK (archived_from IN ('files', 'pages', 'product'));
