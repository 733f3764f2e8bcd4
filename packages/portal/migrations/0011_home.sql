-- Oldest release: 0.1.0
-- Address of the application to which readers without a session go back. NULL: none is shown.
ALTER TABLE organizations ADD COLUMN home_url text;

-- What a user has marked or opened.
CREATE TABLE report_marks (
  organization_id uuid NOT NULL,
  user_id         uuid NOT NULL,
  report_id       uuid NOT NULL,
  is_favorite     boolean NOT NULL DEFAULT false,
  -- NULL: never opened since this table exists.
  opened_at       timestamptz,
  PRIMARY KEY (organization_id, user_id, report_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users ON DELETE CASCADE,
  FOREIGN KEY (organization_id, report_id) REFERENCES reports ON DELETE CASCADE
);
CREATE INDEX report_marks_by_report ON report_marks (organization_id, report_id);
