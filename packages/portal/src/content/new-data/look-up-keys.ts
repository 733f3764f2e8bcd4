import { listLookUps } from '#report-engine';

import type { Database } from '../../db/connection/open.ts';
import * as store from './store.ts';

/** A field by which a role finds values. */
export interface LookUpKey {
  key: string;
  /** The role, with its dataset. */
  role: string;
}

/** Lists the keys of the organization's look-ups, by the slug of the dataset in which they are. */
export async function listKeys(
  db: Database,
  organizationId: string,
): Promise<Map<string, LookUpKey[]>> {
  const found = new Map<string, LookUpKey[]>();
  for (const { dataset, role, rows } of await store.listLookUpRoles(db, organizationId))
    for (const { lookup, key } of listLookUps(rows)) {
      const keys = found.get(lookup) ?? [];
      keys.push({ key, role: `the role ${role} of ${dataset}` });
      found.set(lookup, keys);
    }
  return found;
}
