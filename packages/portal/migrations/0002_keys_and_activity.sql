ALTER TABLE api_keys
  -- Both at most once a minute: a key's every request must not write a row.
  ADD COLUMN last_used_at timestamptz,
  -- The last time the key was tried after it had ended.
  ADD COLUMN last_refused_at timestamptz,
  -- The key that took this one's place when it was rotated.
  ADD COLUMN replaced_by uuid REFERENCES api_keys;

-- The command line names a group by its name.
CREATE UNIQUE INDEX groups_by_name ON groups (organization_id, name COLLATE "C");

-- What administrators, programs and people alike, did or were refused. No foreign keys: it outlives
-- whom and what it names, the organization included.
CREATE TABLE activity_entries (
  organization_id uuid NOT NULL,
  id              bigint GENERATED ALWAYS AS IDENTITY,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- By which key, or by which person at the command line.
  api_key_id      uuid,
  operator        text,
  -- Name of the operation: one of the contract's endpoints, or one that only operators have.
  action          text NOT NULL,
  -- Whom or what it was about, as the request named it.
  subject         text NOT NULL,
  details         jsonb,
  -- Code of the error that it was refused with; NULL for what was done.
  refusal         text,
  PRIMARY KEY (organization_id, id),
  CHECK (num_nonnulls(api_key_id, operator) = 1)
);
-- Mints are nearly all of it. What else happened must be found among them, at no cost to a mint.
CREATE INDEX activity_entries_beside_mints ON activity_entries (organization_id, id)
  WHERE action <> 'mintIdentityUrl';

-- Both logs only grow. `portal.pruned_log` is set by prune_log alone, for as long as it runs: it
-- keeps a mistake or an injected statement out, not the owner of the database, whom no trigger stops.
CREATE FUNCTION refuse_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('portal.pruned_log', true) = TG_TABLE_NAME THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% on % is refused: the log is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Old entries are removed with `portal audit prune` or `portal activity prune`.';
END $$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON activity_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON activity_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();

-- Removes an organization's entries from before a moment and returns how many there were.
CREATE FUNCTION prune_log(log text, organization uuid, before timestamptz) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  pruned bigint;
BEGIN
  PERFORM set_config('portal.pruned_log', log, true);
  CASE log
    WHEN 'audit_entries' THEN
      DELETE FROM audit_entries WHERE organization_id = organization AND created_at < before;
    WHEN 'activity_entries' THEN
      DELETE FROM activity_entries WHERE organization_id = organization AND created_at < before;
  END CASE;
  GET DIAGNOSTICS pruned = ROW_COUNT;
  PERFORM set_config('portal.pruned_log', '', true);
  RETURN pruned;
END $$;
