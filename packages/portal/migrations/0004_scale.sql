-- An index serves a comparison only in its own collation. E-mails in lower case and role names are
-- looked up and sorted by their bytes, so their columns say so: no comparison has to repeat it.
DROP INDEX users_by_email;
ALTER TABLE users ALTER COLUMN email_key TYPE text COLLATE "C";
CREATE UNIQUE INDEX users_by_email ON users (organization_id, email_key) INCLUDE (id);
ALTER TABLE rls_roles ALTER COLUMN name TYPE text COLLATE "C";
ALTER TABLE audit_entries ALTER COLUMN user_email_key TYPE text COLLATE "C";

CREATE INDEX reports_by_workspace ON reports (organization_id, workspace_id);
CREATE INDEX audit_entries_by_report
  ON audit_entries (organization_id, report_id, created_at DESC, id DESC);

-- Each name that a report ever had. A search of the access log by name looks here for the reports
-- that it means. No foreign key: the log outlives its reports.
CREATE TABLE report_names (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  report_id       uuid NOT NULL,
  name            text NOT NULL,
  PRIMARY KEY (organization_id, report_id, name)
);

CREATE FUNCTION keep_report_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_names (organization_id, report_id, name)
  VALUES (NEW.organization_id, NEW.id, NEW.name) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_name AFTER INSERT OR UPDATE OF name ON reports
  FOR EACH ROW EXECUTE FUNCTION keep_report_name();

-- Exact totals without counting: a total is what is folded plus the changes that are not yet. A
-- change is a row of its own, since a counter that every mint updated would be a queue.
CREATE TABLE row_counts (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  list            text NOT NULL,
  total           bigint NOT NULL,
  PRIMARY KEY (organization_id, list)
);
-- The access log by the hour, so that a page deep within is found without reading all before it.
CREATE TABLE audit_hours (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  hour            timestamptz NOT NULL,
  entries         bigint NOT NULL,
  PRIMARY KEY (organization_id, hour)
);
CREATE TABLE row_count_changes (
  organization_id uuid NOT NULL,
  list            text NOT NULL,
  -- Of the access log only.
  hour            timestamptz,
  change          bigint NOT NULL
);
CREATE INDEX row_count_changes_by_list ON row_count_changes (organization_id, list);

CREATE FUNCTION record_count_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_count_changes (organization_id, list, change)
  SELECT organization_id, TG_TABLE_NAME, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed GROUP BY organization_id;
  RETURN NULL;
END $$;

CREATE FUNCTION record_audit_count_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_count_changes (organization_id, list, hour, change)
  SELECT organization_id, TG_TABLE_NAME, date_trunc('hour', created_at, 'UTC'),
    CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed GROUP BY 1, 3;
  RETURN NULL;
END $$;

CREATE TRIGGER count_inserted AFTER INSERT ON users REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION record_count_change();
CREATE TRIGGER count_deleted AFTER DELETE ON users REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION record_count_change();
CREATE TRIGGER count_inserted AFTER INSERT ON reports REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION record_count_change();
CREATE TRIGGER count_deleted AFTER DELETE ON reports REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION record_count_change();
CREATE TRIGGER count_inserted AFTER INSERT ON rls_roles REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION record_count_change();
CREATE TRIGGER count_deleted AFTER DELETE ON rls_roles REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION record_count_change();
CREATE TRIGGER count_inserted AFTER INSERT ON audit_entries REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION record_audit_count_change();
CREATE TRIGGER count_deleted AFTER DELETE ON audit_entries REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION record_audit_count_change();

-- What there is already. The triggers above keep writers out until this is committed.
INSERT INTO report_names SELECT organization_id, id, name FROM reports;
INSERT INTO report_names SELECT DISTINCT organization_id, report_id, report_name FROM audit_entries
  ON CONFLICT DO NOTHING;
INSERT INTO row_counts
  SELECT organization_id, 'users', count(*) FROM users GROUP BY 1 UNION ALL
  SELECT organization_id, 'reports', count(*) FROM reports GROUP BY 1 UNION ALL
  SELECT organization_id, 'rls_roles', count(*) FROM rls_roles GROUP BY 1 UNION ALL
  SELECT organization_id, 'audit_entries', count(*) FROM audit_entries GROUP BY 1;
INSERT INTO audit_hours
  SELECT organization_id, date_trunc('hour', created_at, 'UTC'), count(*)
  FROM audit_entries GROUP BY 1, 2;
