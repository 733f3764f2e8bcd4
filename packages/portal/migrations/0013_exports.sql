-- Oldest release: 0.1.0
-- Few entries of the access log are exports, so a filter on them must not read all the others.
CREATE INDEX audit_entries_exports
  ON audit_entries (organization_id, created_at DESC, id DESC) WHERE action = 2;
