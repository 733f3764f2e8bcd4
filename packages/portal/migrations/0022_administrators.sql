-- Oldest release: 0.1.0
-- Creating and deleting users who may administer needs a permission of its own. Keys that could do
-- everything still can.
UPDATE api_keys SET permissions = permissions || 'administrators:write'::text
WHERE NOT permissions @> '{administrators:write}'
  AND permissions @> '{users:read,users:write,report-access:write,reports:read,rls:read,rls:write,audit:read,identity:mint,content:write}';

-- Earlier releases stored the subject of one person for several users. The user who signed in last
-- keeps it. The sessions of the others end.
WITH shared AS (
  SELECT organization_id, directory_ad_user FROM users WHERE directory_ad_user IS NOT NULL
  GROUP BY organization_id, directory_ad_user HAVING count(*) > 1
), holders AS (
  SELECT users.organization_id, users.id, directory_ad_user, greatest(
    (
      SELECT max(activity_entries.created_at) FROM activity_entries
      WHERE activity_entries.organization_id = users.organization_id AND action = 'signIn'
        AND refusal IS NULL AND activity_entries.user_id = users.id
    ),
    (SELECT max(seen_at) FROM admin_known_clients WHERE account_id = admin_accounts.id),
    (SELECT max(admin_sessions.created_at) FROM admin_sessions WHERE account_id = admin_accounts.id)
  ) AS signed_in_at
  FROM shared JOIN users USING (organization_id, directory_ad_user)
  LEFT JOIN admin_accounts ON admin_accounts.organization_id = users.organization_id
    AND admin_accounts.user_id = users.id
), ranked AS (
  SELECT organization_id, id, row_number() OVER (
    PARTITION BY organization_id, directory_ad_user ORDER BY signed_in_at DESC NULLS LAST, id
  ) AS place
  FROM holders
), cleared AS (
  UPDATE users SET directory_ad_user = NULL FROM ranked
  WHERE users.organization_id = ranked.organization_id AND users.id = ranked.id AND place > 1
  RETURNING users.organization_id, users.id
)
DELETE FROM admin_sessions USING admin_accounts, cleared
WHERE admin_accounts.id = account_id AND admin_accounts.organization_id = cleared.organization_id
  AND user_id = cleared.id;

CREATE UNIQUE INDEX users_by_subject ON users (organization_id, directory_ad_user COLLATE "C")
  WHERE directory_ad_user IS NOT NULL;
