import { sql } from 'kysely';

/** The definition of a dataset that is not archived. Its organization's time zone applies where it names none. */
export const zonedDefinition = sql<object>`(
  SELECT jsonb_build_object('timeZone', time_zone) || datasets.definition
  FROM organizations WHERE organizations.id = datasets.organization_id
)`;
