import path from 'node:path';

import type { Logger } from 'pino';

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
 * @param options.webFolder where the script of its page is
 * @param options.logger for failures after a report was opened. Default: nothing is logged
 */
export function openPowerbi(
  db: Database,
  { powerbiCredentials, powerbi: { authority, api } }: PowerbiConfig,
  { webFolder, logger }: { webFolder: string; logger?: Pick<Logger, 'error' | 'info'> },
): RemotePlatform {
  const name = 'powerbi';
  return powerbiPlatform({
    findSetUp: async (organizationId) => {
      const found = await store.findConnection(db, organizationId, name);
      const credential = found && powerbiCredentials.get(found.slug);
      return credential && { connection: connectionSchema.parse(found.settings), credential };
    },
    frames: { script: path.join(webFolder, 'powerbi.js') },
    onStale: (organizationId) => {
      logger?.info(
        { organizationId, platform: name },
        'the catalogue is stale and is synchronized',
      );
      store
        .setDue(db, organizationId, name)
        .catch((err: unknown) =>
          logger?.error({ err, organizationId, platform: name }, 'the sync cannot be requested'),
        );
    },
    addresses: { authority, api },
  });
}
