-- Oldest release: 0.1.0
-- Workspaces to which an administrator has opened a dataset. Their contributors (role 4) may use it
-- before it has a report there.
CREATE TABLE dataset_workspaces (
  organization_id uuid NOT NULL,
  dataset_id      uuid NOT NULL,
  workspace_id    uuid NOT NULL,
  PRIMARY KEY (organization_id, dataset_id, workspace_id),
  FOREIGN KEY (organization_id, dataset_id) REFERENCES datasets ON DELETE CASCADE,
  FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces ON DELETE CASCADE
);
CREATE INDEX dataset_workspaces_by_workspace ON dataset_workspaces (organization_id, workspace_id);
