import fs from 'node:fs';
import path from 'node:path';

import { isRoot, nobody, secret, type Misconfiguration, type Stage } from './stage.ts';

const database =
  (name: string, user?: string, more: Record<string, string> = {}) =>
  ({ url }: Stage) => ({ PORTAL_DATABASE_URL: url(name, user), ...more });

const serveWith =
  (more: (stage: Stage) => Record<string, string>) =>
  (stage: Stage): Record<string, string> => ({
    PORTAL_DATABASE_URL: stage.url('portal', 'runs'),
    ...more(stage),
  });

const inFolder = (name: string) => (stage: Stage) => ({
  PORTAL_DATA_DIR: path.join(stage.folder, name),
});

/** Creates a folder of the ordinary user. */
function createFolder(folder: string, mode: number): void {
  fs.mkdirSync(folder);
  if (isRoot) fs.chownSync(folder, nobody, nobody);
  fs.chmodSync(folder, mode);
}

const firstFreePort = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
const canUsePort80 =
  !fs.existsSync(firstFreePort) || Number(fs.readFileSync(firstFreePort, 'utf8')) <= 80;

/** Mistakes about ports, folders and the database, which the start of the server finds. */
export const startMistakes: readonly Misconfiguration[] = [
  {
    mistake: 'a port that another program uses',
    env: serveWith(({ takenPort }) => ({ PORTAL_PORT: String(takenPort) })),
    code: 1,
    says: 'Stop the program that uses it, or set PORTAL_PORT to a free port',
  },
  {
    mistake: 'a port of the metrics that another program uses',
    env: serveWith(({ takenPort }) => ({ PORTAL_METRICS_PORT: String(takenPort) })),
    code: 1,
    says: 'set PORTAL_METRICS_PORT to a free port',
  },
  {
    mistake: 'a port for which the user lacks the right',
    env: serveWith(({ folder }) => ({
      PORTAL_PORT: '80',
      PORTAL_DATA_DIR: path.join(folder, 'of-nobody'),
    })),
    prepare: ({ folder }) => createFolder(path.join(folder, 'of-nobody'), 0o700),
    asOrdinaryUser: true,
    skipped: { if: canUsePort80, because: 'where every user may listen on port 80' },
    code: 2,
    says: 'This user may not listen on port 80 (EACCES). Set PORTAL_PORT to a port from 1024 on',
  },
  {
    mistake: 'an address of another machine',
    env: serveWith(() => ({ PORTAL_HOST: '192.0.2.1' })),
    code: 2,
    says: 'PORTAL_HOST is 192.0.2.1, which is not an address of this machine',
  },
  {
    mistake: 'a file for the data directory',
    env: inFolder('file'),
    prepare: ({ folder }) => fs.writeFileSync(path.join(folder, 'file'), ''),
    code: 2,
    says: 'must be a folder',
  },
  {
    mistake: 'a data directory that cannot be created',
    env: { PORTAL_DATA_DIR: '/proc/portal/data' },
    code: 2,
    says: 'The folder /proc/portal/data cannot be created',
  },
  {
    mistake: 'a data directory that cannot be written',
    env: serveWith(inFolder('read-only')),
    prepare: ({ folder }) => createFolder(path.join(folder, 'read-only'), 0o555),
    asOrdinaryUser: true,
    code: 2,
    says: 'The portal cannot write to',
  },
  {
    mistake: 'a data directory of another user',
    env: inFolder('of-another'),
    prepare: ({ folder }) => createFolder(path.join(folder, 'of-another'), 0o700),
    skipped: { if: !isRoot, because: 'without root, which gives a folder to another user' },
    code: 2,
    says: 'belongs to nobody, but this command runs as root. Run it as the owner',
  },
  {
    mistake: 'a database server that does not run',
    env: ({ freePort }) => ({
      PORTAL_DATABASE_URL: `postgres://portal:${secret}@127.0.0.1:${freePort}/portal`,
    }),
    code: 5,
    says: 'Check that it is running, and check PORTAL_DATABASE_URL',
  },
  {
    mistake: 'a host of the database that does not exist',
    env: { PORTAL_DATABASE_URL: `postgres://portal:${secret}@db.invalid/portal` },
    code: 5,
    says: 'The host name of the database cannot be resolved',
  },
  {
    mistake: 'a firewall before the database',
    env: ({ silentPort }) => ({
      PORTAL_DATABASE_URL: `postgres://portal:${secret}@127.0.0.1:${silentPort}/portal`,
      PORTAL_DATABASE_CONNECT_LIMIT: '1',
    }),
    code: 5,
    says: 'opened no connection within PORTAL_DATABASE_CONNECT_LIMIT. Check host and port',
  },
  {
    mistake: 'a wrong password',
    env: database('portal', `with_password:not-${secret}`),
    code: 2,
    says: 'Check user and password in PORTAL_DATABASE_URL',
  },
  {
    mistake: 'no password',
    env: database('portal', 'with_password'),
    code: 2,
    says: 'requires a password, but the address has none',
  },
  {
    mistake: 'a database that does not exist',
    env: database('missing'),
    code: 2,
    says: 'it does not have this database (database "missing" does not exist)',
  },
  {
    mistake: 'a server that is too old',
    env: ({ olderPort }) => ({
      PORTAL_DATABASE_URL: `postgres://portal@127.0.0.1:${olderPort}/portal`,
    }),
    code: 2,
    says: 'is PostgreSQL 14; the portal needs 15 or later',
  },
  {
    mistake: 'a database that is not in UTF-8',
    env: database('latin'),
    code: 2,
    says: 'has the encoding LATIN1',
  },
  {
    mistake: 'TLS at a server without it',
    env: ({ url }) => ({ PORTAL_DATABASE_URL: `${url('portal')}?sslmode=verify-full` }),
    code: 2,
    says: 'the server does not support TLS',
  },
  {
    mistake: 'a certificate that does not exist',
    env: ({ url }) => ({ PORTAL_DATABASE_URL: `${url('portal')}?sslrootcert=/missing.pem` }),
    code: 2,
    says: 'The file of sslrootcert in PORTAL_DATABASE_URL, /missing.pem, cannot be read (ENOENT',
  },
  {
    mistake: 'a certificate that is not a PEM file',
    env: ({ url, folder }) => ({
      PORTAL_DATABASE_URL: `${url('portal')}?sslrootcert=${folder}/ca.der`,
    }),
    prepare: ({ folder }) => fs.writeFileSync(path.join(folder, 'ca.der'), 'binary'),
    code: 2,
    says: 'is not a PEM file',
  },
  {
    mistake: 'a database that is not migrated',
    env: database('empty', 'portal', { PORTAL_MIGRATE: 'off' }),
    code: 1,
    says: 'The database has no portal tables yet',
  },
  {
    mistake: 'an older schema',
    env: database('older', 'portal', { PORTAL_MIGRATE: 'off' }),
    code: 1,
    says: 'Run `portal migrate`, then try again',
  },
  {
    mistake: 'the schema of a newer release',
    env: database('newer'),
    code: 1,
    says: 'Install release 99.0.0 or later',
  },
  {
    mistake: 'a role that may not use the schema',
    env: database('portal', 'without_schema', { PORTAL_MIGRATE: 'off' }),
    code: 2,
    says: 'GRANT USAGE ON SCHEMA public TO "without_schema"',
  },
  {
    mistake: 'a role that may not use the tables',
    env: database('portal', 'without_tables', { PORTAL_MIGRATE: 'off' }),
    code: 2,
    says: 'lacks a right (permission denied for table schema_migrations)',
  },
  {
    mistake: 'a role that may only read',
    env: database('portal', 'only_reads', { PORTAL_MIGRATE: 'off' }),
    code: 2,
    says: 'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO "only_reads"',
  },
  {
    mistake: 'a role that may not migrate',
    env: database('older', 'runs'),
    code: 2,
    says: 'Run `portal migrate` with the address of the role that owns the tables, and set PORTAL_MIGRATE=off',
  },
];
