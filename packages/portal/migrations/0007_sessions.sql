-- Oldest release: 0.1.0
-- When access was granted, so that the access log has an entry for each grant. The time of earlier
-- grants is not known.
ALTER TABLE report_users ADD COLUMN granted_at timestamptz NOT NULL DEFAULT '-infinity';
ALTER TABLE report_users ALTER COLUMN granted_at SET DEFAULT clock_timestamp();
ALTER TABLE report_groups ADD COLUMN granted_at timestamptz NOT NULL DEFAULT '-infinity';
ALTER TABLE report_groups ALTER COLUMN granted_at SET DEFAULT clock_timestamp();
ALTER TABLE group_members ADD COLUMN granted_at timestamptz NOT NULL DEFAULT '-infinity';
ALTER TABLE group_members ALTER COLUMN granted_at SET DEFAULT clock_timestamp();
-- A mint is compared with these grants, so both go by the same clock.
ALTER TABLE identity_urls ALTER COLUMN created_at SET DEFAULT clock_timestamp();
-- When the user was last given a new expiration date after the old one had passed.
ALTER TABLE users ADD COLUMN renewed_at timestamptz NOT NULL DEFAULT '-infinity';

CREATE FUNCTION note_renewal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.renewed_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER note_renewal BEFORE UPDATE OF expiration_date ON users FOR EACH ROW
  WHEN (OLD.expiration_date <= now() AND (NEW.expiration_date > now()) IS NOT FALSE)
  EXECUTE FUNCTION note_renewal();

-- Which reports each user may open, and since when. Access through a group begins with the later of
-- its two links. With several grants, the earliest counts.
CREATE VIEW report_access AS
  SELECT organization_id, user_id, report_id, greatest(min(granted_at), renewed_at) AS began_at
  FROM (
    SELECT organization_id, user_id, report_id, granted_at FROM report_users
    UNION ALL
    SELECT organization_id, user_id, report_id,
      greatest(group_members.granted_at, report_groups.granted_at)
    FROM group_members JOIN report_groups USING (organization_id, group_id)
  ) AS links
  JOIN (SELECT organization_id, id AS user_id, renewed_at FROM users) AS readers
    USING (organization_id, user_id)
  GROUP BY organization_id, user_id, report_id, renewed_at;

-- The latest logged opening of each report in a session. Replaces portal_sessions.opened_reports.
CREATE TABLE session_openings (
  bearer_hash bytea NOT NULL REFERENCES portal_sessions ON DELETE CASCADE,
  report_id   uuid NOT NULL,
  opened_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (bearer_hash, report_id)
);
INSERT INTO session_openings (bearer_hash, report_id, opened_at)
  SELECT DISTINCT bearer_hash, unnest(opened_reports), created_at FROM portal_sessions;
ALTER TABLE portal_sessions ALTER COLUMN opened_reports SET DEFAULT '{}';

-- Like rate_limit_windows, for requests of the viewer's pages.
CREATE UNLOGGED TABLE viewer_rate_limit_windows (
  organization_id uuid NOT NULL,
  user_id         uuid NOT NULL,
  window_number   bigint NOT NULL,
  leased_before   integer NOT NULL,
  leased          integer NOT NULL,
  PRIMARY KEY (organization_id, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users ON DELETE CASCADE
);

-- The key that minted the URL, copied to its session; NULL for an operator. Not a foreign key: every
-- mint would lock the row of its key.
ALTER TABLE identity_urls ADD COLUMN api_key_id uuid;
ALTER TABLE portal_sessions ADD COLUMN api_key_id uuid;
-- Whether the key's URLs and sessions ended when it was revoked.
ALTER TABLE api_keys ADD COLUMN sessions_ended boolean NOT NULL DEFAULT false;

-- What happens when a custom filter names no column: the report has a note, or is refused.
ALTER TABLE organizations ADD COLUMN unapplied_filters text NOT NULL DEFAULT 'note'
  CHECK (unapplied_filters IN ('note', 'refuse'));

-- Equal refusals within ten minutes are one entry: `merge_key` is a hash of the fields that must be
-- equal, `count` the number of refusals, `last_at` the time of the latest.
ALTER TABLE activity_entries
  ADD COLUMN merge_key bytea,
  ADD COLUMN count integer NOT NULL DEFAULT 1,
  ADD COLUMN last_at timestamptz;
CREATE UNIQUE INDEX activity_entries_by_merge_key ON activity_entries (organization_id, merge_key)
  WHERE merge_key IS NOT NULL;

-- The only change that the activity log allows is to count one more equal refusal.
DROP TRIGGER append_only ON activity_entries;
CREATE TRIGGER append_only BEFORE DELETE ON activity_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER append_only_update BEFORE UPDATE ON activity_entries FOR EACH ROW
  WHEN (
    OLD.merge_key IS NULL
    OR NEW.count <> OLD.count + 1
    OR (NEW.last_at >= coalesce(OLD.last_at, OLD.created_at)) IS NOT TRUE
    OR to_jsonb(OLD) - '{count,last_at}'::text[] <> to_jsonb(NEW) - '{count,last_at}'::text[]
  )
  EXECUTE FUNCTION refuse_log_change();
