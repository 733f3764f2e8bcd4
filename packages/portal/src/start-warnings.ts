import type { Logger } from 'pino';

import type { Config } from './config.ts';
import { connectionVariable } from './connections/connection-variables.ts';
import { listConnections } from './connections/service.ts';
import { countWithoutContent } from './content/without-content.ts';
import type { Database } from './db/connection/open.ts';
import { describeLacking, readRights, type RoleRights } from './db/connection/role-rights.ts';
import { readMemoryMb } from './engine-size.ts';
import { isOfAdministration } from './organizations/origins.ts';
import { listOrganizations } from './organizations/service.ts';
import { powerbiVariablesOf } from './remote-platforms/powerbi-variables.ts';
import { listConnections as listRemote } from './remote-platforms/service.ts';
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
    for (const warning of await findDatabaseWarnings(config, db)) logger.warn(warning);
  } catch (err) {
    logger.error({ err }, 'settings not compared with the database');
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

function findSettingWarnings(config: Config): string[] {
  const { trustProxy, engine, emptyVariables, adminUrl, publicUrl } = config;
  const { queries, memoryMb, cacheMb } = engine;
  const neededMb = queries * memoryMb + cacheMb;
  const availableMb = readMemoryMb();
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
    ...(adminUrl === undefined
      ? [
          `PORTAL_PUBLIC_URL (${publicUrl}) is plain http beyond this machine, so there are no administration pages, and links can be read on their way. Set it to an https address, or set PORTAL_ADMIN_URL to one.`,
        ]
      : []),
    ...(neededMb > availableMb
      ? [
          `Queries may use ${neededMb} MiB (PORTAL_ENGINE_MEMORY + PORTAL_CACHE_MEMORY), but this machine or container has ${availableMb} MiB. Lower these settings, or give it more memory.`,
        ]
      : []),
  ];
}

const trustsEveryProxy = (trustProxy: Config['trustProxy']): boolean =>
  trustProxy === true ||
  (typeof trustProxy === 'string' &&
    trustProxy.split(',').some((part) => part.trim().endsWith('/0.0.0.0')));

function findRoleWarnings({ migrate, databaseConnections }: Config, rights: RoleRights): string[] {
  const { role, isOwner, lacking, connections } = rights;
  // Two more check the database.
  const needed = databaseConnections + 2;
  return [
    ...(!migrate && isOwner
      ? [
          `PORTAL_MIGRATE is off, but the role "${role}" of PORTAL_DATABASE_URL may change the tables and both logs. Use a role that only reads and writes rows: deploy/database.sql creates one.`,
        ]
      : []),
    ...(lacking.length > 0 ? [describeLacking(rights)] : []),
    ...(needed > connections
      ? [
          `This instance opens up to ${needed} connections (PORTAL_DATABASE_CONNECTIONS + 2), but the role "${role}" may open ${connections}. Lower PORTAL_DATABASE_CONNECTIONS, or raise max_connections of the server or the limit of the role.`,
        ]
      : []),
  ];
}

async function findDatabaseWarnings(config: Config, db: Database): Promise<string[]> {
  const { oidcSecrets, connections, powerbiCredentials } = config;
  const all = await listOrganizations(db);
  const slugs = new Set(all.map(({ slug }) => slug));
  const sharing = all.filter(({ addresses }) =>
    addresses.some((address) => isOfAdministration(address, config)),
  );
  const unknownSlugs = [
    ...[...oidcSecrets.keys()].map((slug) => [secretVariable(slug), slug] as const),
    ...[...powerbiCredentials].map(
      ([slug, { kind }]) => [powerbiVariablesOf(slug)[kind], slug] as const,
    ),
  ].filter(([, slug]) => !slugs.has(slug));
  const remote = await listRemote(db);
  const secretless = remote.filter(({ slug }) => !powerbiCredentials.has(slug));
  const defined = await listConnections(db, connections);
  const unset = defined.filter(({ settings }) => settings === undefined);
  const unused = defined.filter(({ organizations }) => organizations.length === 0);
  return [
    ...(slugs.size > 0
      ? []
      : [
          'The database has no organization, so /readyz answers 503. Check PORTAL_DATABASE_URL and PORTAL_DATA_DIR, or create the first one with `portal organizations create`.',
        ]),
    ...(config.databaseUrl === undefined ? [] : findRoleWarnings(config, await readRights(db))),
    ...sharing.map(
      ({ slug }) =>
        `PORTAL_ADMIN_URL (${config.adminUrl}) has the host name of an address of the organization ${slug}, whose links answer 404 there. Give the administration a host name of its own, or run \`portal organizations set-addresses ${slug}\` with another address.`,
    ),
    ...unknownSlugs.map(
      ([variable, slug]) =>
        `${variable} is for the organization ${slug}, which does not exist. Correct or remove it; \`portal organizations list\` shows the organizations.`,
    ),
    ...secretless.map(
      ({ slug }) =>
        `${slug} is connected to Power BI, but neither ${powerbiVariablesOf(slug).secret} nor ${powerbiVariablesOf(slug).certificate} is set. Set one of them, or run \`portal platforms remove powerbi -o ${slug}\`.`,
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
