import { sql } from 'kysely';

import type { Database } from '../db/connection/open.ts';
import type { ItemKind } from './items.ts';

/** An archived item that no content file has defined yet. */
export interface ItemWithoutContent {
  /** Slug of its organization. */
  organization: string;
  kind: ItemKind;
  name: string;
  id: string;
}

const withoutContent = sql`(
  SELECT 'dataset' AS kind, organization_id, id, name FROM datasets
  WHERE archived_at IS NOT NULL AND source IS NULL
  UNION ALL
  SELECT 'report', organization_id, id, name FROM reports
  WHERE archived_at IS NOT NULL AND source IS NULL
)`;

/** Lists these items of all organizations, sorted by organization, kind and name. */
export async function listWithoutContent(db: Database): Promise<ItemWithoutContent[]> {
  const { rows } = await sql<ItemWithoutContent>`
    SELECT slug AS organization, kind, items.name, items.id
    FROM ${withoutContent} AS items JOIN organizations ON organizations.id = organization_id
    ORDER BY slug COLLATE "C", kind, items.name COLLATE "C", items.id`.execute(db);
  return rows;
}

export async function countWithoutContent(db: Database): Promise<number> {
  const { rows } = await sql<{ items: number }>`
    SELECT count(*) AS items FROM ${withoutContent} AS items`.execute(db);
  return rows[0]!.items;
}
