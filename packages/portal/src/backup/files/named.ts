import type { Session } from '../session.ts';
import type { NamedVersions } from './data-files.ts';

/** Lists the versions that datasets name, including archived ones, for all organizations. */
export function listNamedVersions(db: Session): Promise<NamedVersions[]> {
  return db.query<NamedVersions>(`
    SELECT organizations.id::text AS "organizationId",
      coalesce((
        SELECT json_agg(DISTINCT named.file ORDER BY named.file) FROM datasets,
          jsonb_array_elements_text(
            CASE jsonb_typeof(source -> 'files') WHEN 'array' THEN source -> 'files' ELSE '[]' END
          ) AS named(file)
        WHERE datasets.organization_id = organizations.id AND slug IS NOT NULL
      ), '[]') AS versions
    FROM organizations ORDER BY organizations.id`);
}
