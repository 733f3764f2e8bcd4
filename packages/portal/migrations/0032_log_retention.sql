-- Oldest release: 0.2.0
-- Days after which entries leave the logs of an organization; NULL for never. Release 0.2 keeps them.
ALTER TABLE organizations
  ADD COLUMN access_log_days integer CHECK (access_log_days > 0),
  ADD COLUMN activity_log_days integer CHECK (activity_log_days > 0);

-- Removes at most `limit_rows` entries that their organization no longer keeps.
CREATE FUNCTION expire_log_entries(log text, limit_rows bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  expired bigint;
BEGIN
  PERFORM set_config('portal.pruned_log', log, true);
  CASE log
    WHEN 'audit_entries' THEN
      DELETE FROM audit_entries WHERE ctid = ANY (ARRAY(
        SELECT old.ctid FROM organizations CROSS JOIN LATERAL (
          SELECT ctid FROM audit_entries
          WHERE organization_id = organizations.id
            AND audit_entries.created_at < now() - make_interval(days => access_log_days)
          ORDER BY created_at LIMIT limit_rows
        ) AS old
        WHERE access_log_days IS NOT NULL LIMIT limit_rows
      ));
    WHEN 'activity_entries' THEN
      -- Ids grow with time, so only the first ones can be old enough.
      DELETE FROM activity_entries WHERE ctid = ANY (ARRAY(
        SELECT old.ctid FROM organizations CROSS JOIN LATERAL (
          SELECT ctid, created_at FROM activity_entries
          WHERE organization_id = organizations.id ORDER BY id LIMIT limit_rows
        ) AS old
        WHERE activity_log_days IS NOT NULL
          -- Otherwise each sweep would read the first entries of every organization.
          AND (
            SELECT created_at FROM activity_entries
            WHERE organization_id = organizations.id ORDER BY id LIMIT 1
          ) < now() - make_interval(days => activity_log_days)
          AND old.created_at < now() - make_interval(days => activity_log_days)
        LIMIT limit_rows
      ));
  END CASE;
  GET DIAGNOSTICS expired = ROW_COUNT;
  PERFORM set_config('portal.pruned_log', '', true);
  RETURN expired;
END $$;
