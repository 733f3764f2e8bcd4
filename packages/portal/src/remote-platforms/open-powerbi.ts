import path from 'node:path';

import type { Logger } from 'pino';

import type { RemotePlatform } from '#platform';
import { connectionSchema, powerbi, powerbiPlatform, type Credential } from '#platform-powerbi';

import type { Database } from '../db/connection/open.ts';
import * as store from './store.ts';

const { name } = powerbi;

type OpenLogger = Pick<Logger, 'error' | 'info'>;

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
  { powerbiCredentials, powerbi: addresses }: PowerbiConfig,
  { webFolder, logger }: { webFolder: string; logger?: OpenLogger },
): RemotePlatform {
  return powerbiPlatform({
    findSetUp: async (organizationId) => {
      const found = await store.findConnection(db, organizationId, name);
      const credential = found && powerbiCredentials.get(found.slug);
      return credential && { connection: connectionSchema.parse(found.settings), credential };
    },
    frames: { script: path.join(webFolder, 'powerbi.js') },
    onStale: (organizationId) => void syncStale(db, organizationId, logger),
    addresses,
  });
}

/**
 * A rejection that stays, such as that of a misspelled role, must not use up the requests that Power BI
 * accepts.
 */
const pauseMs = 5 * 60_000;

/** Makes a synchronization due, because Power BI has rejected what the catalogue says. Never rejects. */
export async function syncStale(
  db: Database,
  organizationId: string,
  logger: OpenLogger | undefined,
): Promise<void> {
  const about = { organizationId, platform: name };
  logger?.info(about, 'the catalogue is stale, so a synchronization is requested');
  try {
    await store.setDueAfterPause(db, organizationId, name, pauseMs);
  } catch (err) {
    logger?.error({ err, ...about }, 'a synchronization cannot be requested');
  }
}
