import path from 'node:path';

import type { RemotePlatform } from '#platform';
import { connectionSchema, powerbiPlatform, type Credential } from '#platform-powerbi';

import type { Database } from '../db/connection/open.ts';
import * as store from './store.ts';

interface PowerbiConfig {
  powerbiCredentials: ReadonlyMap<string, Credential>;
  /** Addresses for tests. */
  powerbi: { authority?: string | undefined; api?: string | undefined };
}

/**
 * Creates the platform `powerbi` for all organizations with a connection and a secret.
 *
 * @param webFolder where the script of its page is
 */
export function openPowerbi(
  db: Database,
  { powerbiCredentials, powerbi: { authority, api } }: PowerbiConfig,
  webFolder: string,
): RemotePlatform {
  const name = 'powerbi';
  return powerbiPlatform({
    findSetUp: async (organizationId) => {
      const found = await store.findConnection(db, organizationId, name);
      const credential = found && powerbiCredentials.get(found.slug);
      return credential && { connection: connectionSchema.parse(found.settings), credential };
    },
    frames: { script: path.join(webFolder, 'powerbi.js') },
    onStale: (organizationId) => void store.setDue(db, organizationId, name).catch(() => {}),
    addresses: { authority, api },
  });
}
