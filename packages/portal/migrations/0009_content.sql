-- Oldest release: 0.1.0
-- Datasets and reports that an organization's content files define. Without a slug, a dataset or
-- report was imported by a program, and its other columns here are unused.
ALTER TABLE datasets
  -- Name of the content file without its ending.
  ADD COLUMN slug text COLLATE "C",
  -- The file as it was applied, and its parsed form.
  ADD COLUMN content text,
  ADD COLUMN definition jsonb,
  -- Stored files and columns of the source: [{"name", "type"}]. NULL: the flat `file`.
  ADD COLUMN files text[],
  ADD COLUMN columns jsonb,
  -- Number of the latest content version.
  ADD COLUMN version integer NOT NULL DEFAULT 0,
  -- When it was edited in the portal, if that was after the latest apply.
  ADD COLUMN edited_at timestamptz,
  ADD COLUMN archived_at timestamptz,
  -- Who sees rows: `by-role`, only readers with a role; `everyone`, each reader, as long as the
  -- dataset has no roles.
  ADD COLUMN row_access text NOT NULL DEFAULT 'everyone'
    CHECK (row_access IN ('by-role', 'everyone'));
CREATE UNIQUE INDEX datasets_by_slug ON datasets (organization_id, slug);
UPDATE datasets SET row_access = 'by-role' WHERE EXISTS (
  SELECT FROM rls_roles
  WHERE rls_roles.organization_id = datasets.organization_id AND dataset_id = datasets.id
);

ALTER TABLE reports
  ADD COLUMN slug text COLLATE "C",
  ADD COLUMN content text,
  ADD COLUMN version integer NOT NULL DEFAULT 0,
  ADD COLUMN edited_at timestamptz,
  ADD COLUMN archived_at timestamptz;
CREATE UNIQUE INDEX reports_by_slug ON reports (organization_id, slug);
CREATE INDEX archived_reports ON reports (organization_id, id) WHERE archived_at IS NOT NULL;

-- The latest versions of each item, with the text of its file.
CREATE TABLE content_versions (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  kind            text NOT NULL CHECK (kind IN ('dataset', 'report')),
  item_id         uuid NOT NULL,
  version         integer NOT NULL,
  content         text NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, kind, item_id, version)
);

-- Nobody may open an archived report. Its links stay, for when it is applied again.
CREATE OR REPLACE VIEW readable_reports AS
  SELECT organization_id, user_id, report_id FROM (
    SELECT organization_id, user_id, report_id FROM report_users
    UNION
    SELECT organization_id, user_id, report_id
    FROM group_members JOIN report_groups USING (organization_id, group_id)
  ) AS links
  WHERE NOT EXISTS (
    SELECT FROM reports
    WHERE reports.organization_id = links.organization_id AND reports.id = links.report_id
      AND archived_at IS NOT NULL
  );

-- The count of reports leaves out archived ones.
CREATE FUNCTION record_deleted_reports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_count_changes (organization_id, list, change)
  SELECT organization_id, 'reports', -count(*) FROM changed
  WHERE archived_at IS NULL GROUP BY organization_id;
  RETURN NULL;
END $$;
DROP TRIGGER count_deleted ON reports;
CREATE TRIGGER count_deleted AFTER DELETE ON reports REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION record_deleted_reports();

CREATE FUNCTION record_archived_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_count_changes (organization_id, list, change)
  VALUES (NEW.organization_id, 'reports', CASE WHEN NEW.archived_at IS NULL THEN 1 ELSE -1 END);
  RETURN NULL;
END $$;
CREATE TRIGGER count_archived AFTER UPDATE OF archived_at ON reports FOR EACH ROW
  WHEN ((OLD.archived_at IS NULL) <> (NEW.archived_at IS NULL))
  EXECUTE FUNCTION record_archived_report();
