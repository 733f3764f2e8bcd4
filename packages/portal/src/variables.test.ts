import { expect, it } from 'vitest';

import { readConfig } from './config.ts';
import { ConfigurationError } from './errors.ts';

const secret = 'postgres://portal:hunter2@db/portal';

it.each([
  ['PORTAL_DATABASE_ULR', 'PORTAL_DATABASE_URL'],
  ['PORTAL_DATABASE_UR', 'PORTAL_DATABASE_URL'],
  ['PORTAL_DATABASE_URLS', 'PORTAL_DATABASE_URL'],
  ['PORTAL_DATABASEURL', 'PORTAL_DATABASE_URL'],
  ['PORTAL_DATBASE_URI', 'PORTAL_DATABASE_URL'],
  ['PORTAL__DATABASE_URL', 'PORTAL_DATABASE_URL'],
  ['PORTAL_DATABASE_URL_', 'PORTAL_DATABASE_URL'],
  ['PORTAL-DATABASE-URL', 'PORTAL_DATABASE_URL'],
  ['portal_database_url', 'PORTAL_DATABASE_URL'],
  ['Portal_Databse_Url', 'PORTAL_DATABASE_URL'],
  ['PROTAL_DATABASE_URL', 'PORTAL_DATABASE_URL'],
  ['PORTALDATABASE_URL', 'PORTAL_DATABASE_URL'],
  ['PORTAL_ADMIN_URI', 'PORTAL_ADMIN_URL'],
  ['PORTAL_POST', 'PORTAL_PORT or PORTAL_HOST'],
  ['PORTAL_CONECTION_WAREHOUSE', 'PORTAL_CONNECTION_WAREHOUSE'],
  ['PORTAL_CONNECTIONS_WAREHOUSE', 'PORTAL_CONNECTION_WAREHOUSE'],
  ['PORTAL_CONNECTIONWAREHOUSE', 'PORTAL_CONNECTION_WAREHOUSE'],
  ['portal_connection_warehouse', 'PORTAL_CONNECTION_WAREHOUSE'],
  ['PORTAL_CONNECTION', 'PORTAL_CONNECTION_NAME'],
  ['PORTAL_ODIC_SECRET_ACME', 'PORTAL_OIDC_SECRET_ACME'],
  ['PORTAL_OIDC_SECRETS', 'PORTAL_OIDC_SECRET_SLUG'],
])('the mistyped variable %s is refused with the name of the setting %s', (name, near) => {
  for (const value of [secret, '']) {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(`\n  ${name} is unknown. Did you mean ${near}?`);
    expect(read).not.toThrow('hunter2');
  }
});

it.each(['PORTAL_URL', 'PORTAL_KEY', 'PORTAL_DATABASE_PASSWORD', 'portal_theme', 'PORTAL_'])(
  'the variable %s is reported as unknown, without its value',
  (name) => {
    expect(readConfig({ [name]: secret })).toEqual({ ...readConfig({}), unknownVariables: [name] });
  },
);

it.each(['POSTAL_PORT', 'MY_PORTAL_DATABASE_URL', 'DATABASE_URL', 'PORT', 'HOST'])(
  'the variable %s of another program is ignored',
  (name) => {
    expect(readConfig({ [name]: '3000' })).toEqual(readConfig({}));
  },
);

it('variables of the tests are ignored', () => {
  expect(readConfig({ PORTAL_TEST_SEED: '7' })).toEqual(readConfig({}));
});

it('the variables that Kubernetes sets for a Service are ignored', () => {
  const service = (name: string, port: number) => ({
    [`${name}_SERVICE_HOST`]: '10.0.0.7',
    [`${name}_SERVICE_PORT`]: String(port),
    [`${name}_SERVICE_PORT_HTTP`]: String(port),
    [`${name}_PORT_${port}_TCP`]: `tcp://10.0.0.7:${port}`,
    [`${name}_PORT_${port}_TCP_PROTO`]: 'tcp',
    [`${name}_PORT_${port}_TCP_PORT`]: String(port),
    [`${name}_PORT_${port}_TCP_ADDR`]: '10.0.0.7',
  });
  const env = {
    ...service('PORTAL', 4000),
    ...service('PORTAL_EMBED', 4000),
    ...service('PORTAL_CONNECTION_POOLER', 5432),
    ...service('PORTAL_OIDC_SECRET_STORE', 80),
    PORTAL_CONNECTION_POOLER_PORT: 'tcp://10.0.0.7:5432',
    PORTAL_EMBED_PORT: 'tcp://10.0.0.7:4000',
  };
  expect(readConfig(env)).toEqual(readConfig({}));
});

it.each(['PORTAL_PORT', 'PORTAL_METRICS_PORT'])(
  '%s with the address of a Kubernetes Service is refused with what to set in the pod',
  (name) => {
    expect(() => readConfig({ [name]: 'tcp://10.0.0.7:4000' })).toThrow(
      `\n  ${name} has the address of a Kubernetes Service, which is named like this setting. Set \`enableServiceLinks: false\` in the spec of the pod, or give the Service another name.`,
    );
  },
);

it('a blank setting counts as unset, and never as 0', () => {
  const { emptyVariables, ...config } = readConfig({ PORTAL_RATE_LIMIT: ' ', PORTAL_PORT: '\n' });
  expect({ ...config, emptyVariables: [] }).toEqual(readConfig({}));
  expect(emptyVariables).toEqual(['PORTAL_PORT', 'PORTAL_RATE_LIMIT']);
});

it('an address with an unencoded question mark in the password is refused without the password', () => {
  const read = () => readConfig({ PORTAL_CONNECTION_X: 'clickhouse://u:12?hunter2@db/d' });
  expect(read).toThrow('PORTAL_CONNECTION_X has an unknown option');
  expect(read).not.toThrow('hunter2');
});
