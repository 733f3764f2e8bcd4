import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { isRoot, secret, type Misconfiguration, type Stage } from './stage.ts';

const onPortal = ({ url }: Stage): Record<string, string> => ({
  PORTAL_DATABASE_URL: url('portal'),
});

const withWarehouse =
  (address: (stage: Stage) => string) =>
  (stage: Stage): Record<string, string> => ({
    ...onPortal(stage),
    PORTAL_CONNECTION_WAREHOUSE: address(stage),
  });

const checkWarehouse = ['connections', 'check', 'warehouse'];

/** Mistakes that commands find. */
export const commandMistakes: readonly Misconfiguration[] = [
  {
    mistake: 'an embed origin with a path',
    env: onPortal,
    args: ['organizations', 'set-embed-origins', 'acme', 'https://app.acme.example/page'],
    code: 2,
    says: '"https://app.acme.example/page" is not an origin',
  },
  {
    mistake: 'the public URL as an address of an organization',
    env: (stage) => ({ ...onPortal(stage), PORTAL_PUBLIC_URL: 'https://portal.example.com' }),
    args: ['organizations', 'set-addresses', 'acme', 'https://portal.example.com'],
    code: 2,
    says: "is the portal's own address",
  },
  {
    mistake: 'the administration as an address of an organization',
    env: (stage) => ({
      ...onPortal(stage),
      PORTAL_PUBLIC_URL: 'https://portal.example.com',
      PORTAL_ADMIN_URL: 'https://admin.example.com',
    }),
    args: ['organizations', 'set-addresses', 'acme', 'https://admin.example.com'],
    code: 2,
    says: 'https://admin.example.com has the host name of PORTAL_ADMIN_URL',
  },
  {
    mistake: 'an unknown organization',
    env: onPortal,
    args: ['users', 'list', '-o', 'acne'],
    code: 3,
    says: 'The organization "acne" does not exist',
  },
  {
    mistake: 'an unknown connection',
    env: withWarehouse(() => `postgres://reports:${secret}@db/shop`),
    args: ['connections', 'check', 'wharehouse'],
    code: 3,
    says: 'Unknown connection "wharehouse". Connections: warehouse',
  },
  {
    mistake: 'a connection with a wrong password',
    env: withWarehouse(({ url }) => url('portal', `with_password:not-${secret}`)),
    args: checkWarehouse,
    code: 1,
    says: 'password authentication failed for user "with_password" (28P01). Check PORTAL_CONNECTION_WAREHOUSE',
  },
  {
    mistake: 'a connection to a server that does not run',
    env: withWarehouse(({ freePort }) => `postgres://reports:${secret}@127.0.0.1:${freePort}/shop`),
    args: checkWarehouse,
    code: 1,
    says: 'ECONNREFUSED). Check PORTAL_CONNECTION_WAREHOUSE',
  },
  {
    mistake: 'a command in an empty data directory',
    args: ['organizations', 'list'],
    env: ({ folder }) => ({ PORTAL_DATA_DIR: path.join(folder, 'none') }),
    code: 2,
    says: 'There is no portal database in',
  },
  {
    mistake: 'a backup into a folder that does not exist',
    env: onPortal,
    args: ['backup', '/missing/portal.tar'],
    code: 1,
    says: 'The file /missing/portal.tar cannot be created',
  },
  {
    mistake: 'a backup over a file',
    env: onPortal,
    args: ({ folder }) => ['backup', path.join(folder, 'note.txt')],
    prepare: ({ folder }) => fs.writeFileSync(path.join(folder, 'note.txt'), 'hello'),
    code: 1,
    says: 'exists already. Choose another name',
  },
  {
    mistake: 'a backup to a full disk',
    env: onPortal,
    args: ({ folder }) => ['backup', path.join(folder, 'small', 'portal.tar')],
    prepare: ({ folder }) => {
      fs.mkdirSync(path.join(folder, 'small'));
      spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', path.join(folder, 'small')]);
    },
    skipped: { if: !isRoot, because: 'without root, which mounts a small disk' },
    code: 1,
    says: 'The disk is full',
  },
  {
    mistake: 'a restore into a database that is not empty',
    env: onPortal,
    args: ({ folder }) => ['restore', path.join(folder, 'portal.tar')],
    code: 3,
    says: 'The database already has tables',
  },
  {
    mistake: 'a restore of another file',
    env: ({ url }) => ({ PORTAL_DATABASE_URL: url('empty') }),
    args: ({ folder }) => ['restore', path.join(folder, 'note.txt')],
    code: 1,
    says: 'is not a backup of the portal',
  },
  {
    mistake: 'a copy to another kind of database',
    env: onPortal,
    args: ['copy', '--to', `mysql://portal:${secret}@db/portal`],
    code: 2,
    says: '--to must begin with postgres://',
  },
  {
    mistake: 'a copy to a server that does not run',
    env: onPortal,
    args: ({ freePort }) => ['copy', '--to', `postgres://portal:${secret}@127.0.0.1:${freePort}/x`],
    code: 1,
    says: 'The database of --to cannot be opened',
  },
  {
    mistake: 'a copy to the same database',
    env: onPortal,
    args: ({ url }) => ['copy', '--to', url('portal')],
    code: 2,
    says: '--to is the database that the portal uses',
  },
];
