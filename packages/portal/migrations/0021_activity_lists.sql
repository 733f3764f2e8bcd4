-- Oldest release: 0.1.0
-- Filters of the activity log. Mints have no use for them: nearly all entries are theirs.
CREATE INDEX activity_entries_by_action ON activity_entries (organization_id, action, id)
  WHERE action <> 'mintIdentityUrl';
CREATE INDEX activity_entries_refused_by_id ON activity_entries (organization_id, id)
  WHERE refusal IS NOT NULL;
CREATE INDEX activity_entries_refused_by_action ON activity_entries (organization_id, action, id)
  WHERE refusal IS NOT NULL;
