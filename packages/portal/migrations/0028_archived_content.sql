-- Oldest release: 0.2.0
-- Content files define all datasets and reports. Those that a program created without one are archived,
-- and release 0.1 has no others. Links of users and groups to the reports stay, so that a content file
-- with the id of a report restores it with its readers.

-- In the order in which requests use them, so that a request that has one of them can end.
LOCK TABLE reports, datasets, rls_roles IN ACCESS EXCLUSIVE MODE;
ALTER TABLE datasets
  -- No longer written. Release 0.2 reads it, so a later migration removes it.
  ALTER COLUMN file SET DEFAULT '';
-- NULL: archived, and never defined by a content file.
ALTER TABLE reports ALTER COLUMN definition DROP NOT NULL;

-- Each archived item has an entry of the activity log, a dataset with the names of its deleted roles.
-- A program could add roles in its own form to datasets of content files, too. They are deleted as well.
WITH deleted AS (
  DELETE FROM rls_roles USING datasets
  WHERE rls_roles.organization_id = datasets.organization_id AND dataset_id = datasets.id
    AND (
      content IS NULL
      OR jsonb_typeof(predicate) = 'object' AND predicate ?| ARRAY['column', 'all', 'any']
    )
  RETURNING rls_roles.organization_id, dataset_id, rls_roles.name
), restricted AS (
  INSERT INTO activity_entries (organization_id, operator, action, subject, details)
  SELECT organization_id, 'portal migrate', 'deleteRoles', datasets.name, jsonb_build_object(
    'id', id, 'deletedRoles', array_agg(deleted.name ORDER BY deleted.name)
  )
  FROM deleted JOIN datasets USING (organization_id)
  WHERE dataset_id = id AND content IS NOT NULL
  GROUP BY organization_id, id, datasets.name ORDER BY organization_id, datasets.name, id
), archived AS (
  -- Without roles, `everyone` would show all rows.
  UPDATE datasets SET archived_at = now(), row_access = 'by-role' WHERE content IS NULL
  RETURNING organization_id, id, name
)
INSERT INTO activity_entries (organization_id, operator, action, subject, details)
SELECT organization_id, 'portal migrate', 'archiveContent', name, jsonb_build_object(
  'kind', 'dataset', 'id', id, 'deletedRoles', ARRAY(
    SELECT deleted.name FROM deleted
    WHERE deleted.organization_id = archived.organization_id AND dataset_id = archived.id
    ORDER BY deleted.name
  )
)
FROM archived ORDER BY organization_id, name, id;

WITH archived AS (
  UPDATE reports SET archived_at = coalesce(archived_at, now()),
    definition = CASE WHEN content IS NOT NULL THEN definition END
  WHERE content IS NULL OR EXISTS (
    SELECT FROM datasets
    WHERE datasets.organization_id = reports.organization_id AND datasets.id = dataset_id
      AND datasets.content IS NULL
  )
  RETURNING organization_id, id, name
)
INSERT INTO activity_entries (organization_id, operator, action, subject, details)
SELECT organization_id, 'portal migrate', 'archiveContent', name,
  jsonb_build_object('kind', 'report', 'id', id)
FROM archived ORDER BY organization_id, name, id;

ALTER TABLE datasets ADD CONSTRAINT datasets_have_content
  CHECK (archived_at IS NOT NULL OR num_nulls(slug, content, definition) = 0);
ALTER TABLE reports ADD CONSTRAINT reports_have_content
  CHECK (archived_at IS NOT NULL OR num_nulls(slug, content, definition) = 0);

ALTER TABLE rls_roles ADD CONSTRAINT rls_roles_of_content
  CHECK (jsonb_typeof(predicate) <> 'object' OR NOT predicate ?| ARRAY['column', 'all', 'any']);

CREATE INDEX archived_datasets ON datasets (organization_id, id) WHERE archived_at IS NOT NULL;
