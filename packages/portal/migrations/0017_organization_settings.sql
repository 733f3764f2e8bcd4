-- Oldest release: 0.1.0
ALTER TABLE organizations
  -- IANA name. The administration pages show times in it.
  ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC',
  -- BCP 47 tag of the texts for browsers whose languages have none. NULL: English.
  ADD COLUMN language text,
  -- PNG, re-encoded by the portal. NULL: none.
  ADD COLUMN logo bytea;

-- Refusals are few among the entries, and the overview counts those of the last days.
CREATE INDEX activity_entries_refused ON activity_entries (organization_id, created_at)
  WHERE refusal IS NOT NULL;
