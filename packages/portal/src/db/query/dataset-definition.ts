import { sql } from 'kysely';

/** The definition of a dataset that is not archived. Without a time zone of its own, it has its organization's. */
export const zonedDefinition = sql<object>`(
  SELECT jsonb_build_object('timeZone', time_zone) || datasets.definition
  FROM organizations WHERE organizations.id = datasets.organization_id
)`;
