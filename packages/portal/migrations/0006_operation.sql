-- Oldest release: 0.1.0
-- From the first line of each migration: the oldest release that works with the schema after it.
ALTER TABLE schema_migrations ADD COLUMN oldest_release text;

-- Most entries of the activity log are successful mints, the only ones that expire.
CREATE INDEX activity_entries_mints_by_time ON activity_entries (created_at)
  WHERE action = 'mintIdentityUrl' AND refusal IS NULL;

-- Removes at most `limit_rows` entries of successful mints older than `before`; returns the count.
CREATE FUNCTION expire_mint_entries(before timestamptz, limit_rows bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  expired bigint;
BEGIN
  PERFORM set_config('portal.pruned_log', 'activity_entries', true);
  DELETE FROM activity_entries WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM activity_entries
    WHERE action = 'mintIdentityUrl' AND refusal IS NULL AND created_at < before
    ORDER BY created_at LIMIT limit_rows FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS expired = ROW_COUNT;
  PERFORM set_config('portal.pruned_log', '', true);
  RETURN expired;
END $$;
