-- Oldest release: 0.1.0
-- Workspace contributors (role 4) arrange the reports of these workspaces only.
CREATE TABLE workspace_contributors (
  organization_id uuid NOT NULL,
  workspace_id    uuid NOT NULL,
  user_id         uuid NOT NULL,
  PRIMARY KEY (organization_id, user_id, workspace_id),
  FOREIGN KEY (organization_id, workspace_id) REFERENCES workspaces ON DELETE CASCADE,
  FOREIGN KEY (organization_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX workspace_contributors_by_workspace
  ON workspace_contributors (organization_id, workspace_id);

-- Who wrote a version, as the activity log names them. NULL: a release without this column.
ALTER TABLE content_versions
  ADD COLUMN author text,
  -- `files`: applied from a content folder; `pages`: edited in the administration portal.
  ADD COLUMN origin text CHECK (origin IN ('files', 'pages'));
