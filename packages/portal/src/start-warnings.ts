import os from 'node:os';

import type { Logger } from 'pino';

import type { Config } from './config.ts';
import { connectionVariable } from './connections/connection-variables.ts';
import { listConnections } from './connections/service.ts';
import { countWithoutContent } from './content/without-content.ts';
import type { Database } from './db/connection/open.ts';
import { listOrganizations } from './organizations/service.ts';
import { secretVariable } from './sign-in/oidc/oidc-variables.ts';

/** Logs settings that are valid, but probably mistakes. */
export async function logStartWarnings(
  config: Config,
  db: Database,
  logger: Logger,
): Promise<void> {
  for (const variable of config.unknownVariables) logger.warn(describeUnknown(variable));
  for (const warning of findSettingWarnings(config)) logger.warn(warning);
  try {
    for (const warning of await findSecretWarnings(config, db)) logger.warn(warning);
  } catch (err) {
    logger.error({ err }, 'names of secrets and connections not checked');
  }
}

/** Logs after a migration how many datasets and reports are archived because they have no content file. */
export async function warnOfArchived(db: Database, logger: Logger): Promise<void> {
  try {
    const archived = await countWithoutContent(db);
    if (archived > 0)
      logger.warn(
        { archived },
        'some datasets and reports are archived, because they have no content file; `portal migrate` lists them and says how to restore them',
      );
  } catch (err) {
    logger.error({ err }, 'archived datasets and reports not counted');
  }
}

export const describeUnknown = (variable: string): string =>
  `${variable} is not a setting of the portal and has no effect. Correct or remove it.`;

function findSettingWarnings({ trustProxy, engine, emptyVariables }: Config): string[] {
  const { queries, memoryMb, cacheMb } = engine;
  const neededMb = queries * memoryMb + cacheMb;
  const availableMb = Math.floor(readMemory() / 2 ** 20);
  return [
    ...(emptyVariables.length === 0
      ? []
      : [
          `Empty, so the default applies: ${emptyVariables.join(', ')}. Set a value, or remove the variable.`,
        ]),
    ...(trustsEveryProxy(trustProxy)
      ? [
          `PORTAL_TRUST_PROXY=${trustProxy} trusts every sender, so clients can forge the address that limits use. Set it to the addresses of your proxies, such as loopback,10.0.0.0/8, or to their number.`,
        ]
      : []),
    ...(neededMb > availableMb
      ? [
          `Queries may use ${neededMb} MiB (PORTAL_ENGINE_QUERIES × PORTAL_ENGINE_MEMORY + PORTAL_CACHE_MEMORY), but this machine or container has ${availableMb} MiB. Lower these settings, or give it more memory.`,
        ]
      : []),
  ];
}

const trustsEveryProxy = (trustProxy: Config['trustProxy']): boolean =>
  trustProxy === true ||
  (typeof trustProxy === 'string' &&
    trustProxy.split(',').some((part) => part.trim().endsWith('/0.0.0.0')));

/** Bytes of memory of the machine or, if less, of this process's control group. */
function readMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
}

async function findSecretWarnings(
  { oidcSecrets, connections }: Config,
  db: Database,
): Promise<string[]> {
  const slugs = new Set((await listOrganizations(db)).map(({ slug }) => slug));
  const unknownSlugs = [...oidcSecrets.keys()].filter((slug) => !slugs.has(slug));
  const all = await listConnections(db, connections);
  const unset = all.filter(({ settings }) => settings === undefined);
  const unused = all.filter(({ organizations }) => organizations.length === 0);
  return [
    ...(slugs.size > 0
      ? []
      : [
          'The database has no organization, so /readyz answers 503. Check PORTAL_DATABASE_URL and PORTAL_DATA_DIR, or create the first one with `portal organizations create`.',
        ]),
    ...unknownSlugs.map(
      (slug) =>
        `${secretVariable(slug)} is for the organization ${slug}, which does not exist. Correct or remove it; \`portal organizations list\` shows the organizations.`,
    ),
    ...unset.map(
      ({ name, organizations }) =>
        `${organizations.join(', ')} may use the connection ${name}, but ${connectionVariable(name)} is not set. Set it, or run \`portal connections revoke ${name} -o ORGANIZATION\`.`,
    ),
    ...unused.map(
      ({ name }) =>
        `${connectionVariable(name)} defines a connection that no organization may use. Run \`portal connections grant ${name} -o ORGANIZATION\`, or remove the variable.`,
    ),
  ];
}
