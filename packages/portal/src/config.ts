import { z } from 'zod';

import type { Credential } from '#platform-powerbi';
import type { ConnectionSettings } from '#report-engine';

import { isConfidential } from './confidential.ts';
import { connectionPrefix, connectionVariables } from './connections/connection-variables.ts';
import { computeEngineSize, type EngineSize } from './engine-size.ts';
import { ConfigurationError } from './errors.ts';
import {
  powerbiCertificatePrefix,
  powerbiCertificateVariables,
  powerbiSecretPrefix,
  powerbiSecretVariables,
  powerbiVariables,
} from './remote-platforms/powerbi-variables.ts';
import {
  arrangeValues,
  listSettings,
  settings,
  type Setting,
  type SettingValues,
} from './settings.ts';
import { oidcVariables, secretPrefix } from './sign-in/oidc/oidc-variables.ts';
import { findUnknownVariables, isServiceLink } from './variables.ts';

type Values = SettingValues<typeof settings>;

/** The values of `settings`, which say what each means and its default. */
export interface Config extends Omit<Values, 'publicUrl' | 'engine'> {
  publicUrl: string;
  engine: EngineSize & Pick<Values['engine'], 'userQueries' | 'sourceQueries' | 'cacheMb'>;
  /** Databases that hold rows of datasets. `PORTAL_CONNECTION_NAME`, default none. */
  connections: readonly ConnectionSettings[];
  /**
   * Secrets of the portal at the identity providers of organizations, by their slugs.
   * `PORTAL_OIDC_SECRET_SLUG`, default none.
   */
  oidcSecrets: ReadonlyMap<string, string>;
  /**
   * How the portal signs in to Power BI for organizations, by their slugs. `PORTAL_POWERBI_SECRET_SLUG` or
   * `PORTAL_POWERBI_CERTIFICATE_SLUG`, default none.
   */
  powerbiCredentials: ReadonlyMap<string, Credential>;
  /** Variables that begin with `PORTAL_` and are not settings. */
  unknownVariables: string[];
  /** Settings whose variable is set, but empty. */
  emptyVariables: string[];
}

const singles = listSettings(settings);
const environment = z.object(
  Object.fromEntries(singles.map(({ variable, schema }) => [variable, schema])),
);

/** Settings with a variable for each connection or organization. */
const families = [
  { prefix: connectionPrefix, suffix: 'NAME', schema: connectionVariables },
  { prefix: secretPrefix, suffix: 'SLUG', schema: oidcVariables },
  { prefix: powerbiSecretPrefix, suffix: 'SLUG', schema: powerbiSecretVariables },
  { prefix: powerbiCertificatePrefix, suffix: 'SLUG', schema: powerbiCertificateVariables },
].map(({ prefix, suffix, schema }) => ({
  prefix,
  variable: prefix + suffix,
  schema,
  byDefault: 'none',
}));

/** Every setting, for the reference. */
export const allSettings: readonly Setting[] = [...singles, ...families];

const known = {
  names: singles.map(({ variable }) => variable),
  families: Object.fromEntries(families.map(({ prefix, variable }) => [prefix, variable])),
};

/**
 * Reads the configuration from environment variables. Empty and blank variables count as unset.
 *
 * @throws `ConfigurationError`, which names each invalid or mistyped variable and what it must be
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) =>
        value?.trim() !== '' && (known.names.includes(name) || !isServiceLink(name, value)),
    ),
  );
  const parsed = environment
    .and(connectionVariables)
    .and(oidcVariables)
    .and(powerbiVariables)
    .safeParse(set);
  const unknown = findUnknownVariables(env, known);
  const problems = [
    ...unknown
      .filter(({ near }) => near.length > 0)
      .map(({ variable, near }) => `${variable} is unknown. Did you mean ${near.join(' or ')}?`),
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}`),
  ];
  if (!parsed.success || problems.length > 0) throw invalid(problems);
  const values = arrangeValues(settings, parsed.data);
  const { publicUrl = new URL(`http://localhost:${values.port}`).origin, adminUrl } = values;
  const { userQueries, sourceQueries, cacheMb, ...sizes } = values.engine;
  const size = computeEngineSize(sizes);
  const contradictions = findContradictions(values);
  if ('problem' in size) throw invalid([...contradictions, size.problem]);
  if (contradictions.length > 0) throw invalid(contradictions);
  const { connections, oidcSecrets, powerbiCredentials } = parsed.data;
  return {
    ...values,
    engine: { ...size, userQueries, sourceQueries, cacheMb },
    publicUrl,
    adminUrl: adminUrl ?? (isConfidential(publicUrl) ? publicUrl : undefined),
    connections,
    oidcSecrets,
    powerbiCredentials,
    unknownVariables: unknown.map(({ variable }) => variable),
    emptyVariables: known.names.filter((name) => env[name]?.trim() === ''),
  };
}

const invalid = (problems: readonly string[]): ConfigurationError =>
  new ConfigurationError(
    `The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  );

/** Finds values that are valid alone, but not beside the others. */
function findContradictions(values: Values): string[] {
  const { port, metricsPort, publicUrl, adminUrl, files, databaseUrl } = values;
  return [
    ...(adminUrl !== undefined && !isConfidential(adminUrl)
      ? [
          'PORTAL_ADMIN_URL must be https, because passwords are sent to it. Plain http is for localhost only.',
        ]
      : []),
    ...(files === 'database' && databaseUrl === undefined
      ? [
          'PORTAL_FILES can be database only with PostgreSQL, because a large file would block the embedded database. Set PORTAL_DATABASE_URL, or remove PORTAL_FILES.',
        ]
      : []),
    ...(metricsPort !== undefined && metricsPort === port && port !== 0
      ? [`PORTAL_METRICS_PORT and PORTAL_PORT are both ${port}. Set them to different ports.`]
      : []),
    ...(port === 0 && publicUrl === undefined
      ? [
          'PORTAL_PORT can be 0, for any free port, only with PORTAL_PUBLIC_URL, because the addresses of the portal have its port. Set PORTAL_PORT to the port that your proxy uses.',
        ]
      : []),
  ];
}
