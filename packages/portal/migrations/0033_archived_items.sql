-- Oldest release: 0.2.0
-- Who archived a dataset or report, and where. An item that was archived in the portal makes the next
-- apply of its content file a conflict. Release 0.2 writes neither column.
LOCK TABLE reports, datasets IN ACCESS EXCLUSIVE MODE;
ALTER TABLE reports
  ADD COLUMN archived_by text,
  ADD COLUMN archived_from text CHECK (archived_from IN ('files', 'pages'));
ALTER TABLE datasets
  ADD COLUMN archived_by text,
  ADD COLUMN archived_from text CHECK (archived_from IN ('files', 'pages'));

-- For the reports of a dataset, which is not archived or deleted before them.
CREATE INDEX reports_by_dataset ON reports (organization_id, dataset_id);
