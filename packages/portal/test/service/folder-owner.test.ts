import fs from 'node:fs';
import path from 'node:path';

import { createTemporaryFolder } from 'test-support';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { requireOwner } from '../../src/folder-owner.ts';
import { createGlobex, runInProcess } from '../support/command-line.ts';
import { ordersFiles, writeFiles } from '../support/content-files.ts';
import type { TestDatabase } from '../support/database.ts';
import { ordersCsv } from '../support/orders.ts';
import type { TestOrganization } from '../support/organization.ts';

// Each command starts the embedded database, which takes seconds.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const isRoot = process.getuid!() === 0;

/** The owner of the data directory: as root, a user of every Debian machine; otherwise root. */
const owner = isRoot ? { uid: 65_534, name: 'nobody' } : { uid: 0, name: 'root' };

let database: TestDatabase;
let globex: TestOrganization;
let content: string;
/** A data directory of another user. */
let dataDir: string;
beforeAll(async () => {
  ({ database, globex } = await createGlobex());
  content = createTemporaryFolder("portal content's-");
  writeFiles(content, { ...ordersFiles, 'data/orders.csv': ordersCsv });
  if (isRoot) fs.chownSync(database.dataDir, owner.uid, owner.uid);
  const names = fs.readdirSync(database.dataDir, { recursive: true, encoding: 'utf8' });
  for (const name of isRoot ? names : [])
    fs.chownSync(path.join(database.dataDir, name), owner.uid, owner.uid);
  dataDir = isRoot ? database.dataDir : '/srv';
});
afterAll(async () => {
  fs.rmSync(content, { recursive: true });
  await database.remove();
});

const list = () => new Set(fs.readdirSync(dataDir, { recursive: true, encoding: 'utf8' }));

describe('with a data directory of another user', () => {
  const always: string[][] = [
    ['content', 'apply', 'FOLDER', '-o', 'globex', '--prune'],
    ['content', 'diff', 'FOLDER', '-o', 'globex'],
    ['content', 'check', 'FOLDER', '-o', 'globex'],
    ['content', 'init', 'FOLDER/data/orders.csv', '--folder', 'DATA/content'],
    ['content', 'pull', 'DATA/content', '-o', 'globex'],
    ['audit', 'export', '-o', 'globex', '--output', 'DATA/audit.csv'],
    ['organizations', 'delete', 'globex', '--confirm', 'globex'],
    ['serve'],
  ];
  it.each(always.map((args) => [args.join(' '), args] as const))(
    'in a data directory of another user, `%s` is refused with the command to run instead',
    async (_, args) => {
      const given = args.map((arg) => arg.replace('FOLDER', content).replace('DATA', dataDir));
      const before = list();
      const refused = await runInProcess({ ...database, dataDir }, given);
      expect([refused.code, refused.stdout]).toEqual([2, '']);
      const folders = ['', 'database', 'datasets', `datasets/${globex.id}`].map((name) =>
        path.join(dataDir, name),
      );
      expect(
        folders.some((folder) =>
          refused.stderr.includes(
            `The folder ${folder} belongs to ${owner.name}, but this command`,
          ),
        ),
      ).toBe(true);
      const words = given.map((arg) =>
        /[ ']/.test(arg) ? `'${arg.replaceAll("'", `'\\''`)}'` : arg,
      );
      expect(refused.stderr).toContain(`\`sudo -u ${owner.name} --preserve-env=PORTAL_DATA_DIR,`);
      expect(refused.stderr).toContain(` ${words.join(' ')}\`.`);
      expect(list()).toEqual(before);
    },
  );

  it.each(['sessions list -o globex', 'migrate'])(
    'in a data directory of another user, `%s` is refused on the embedded database only',
    async (command) => {
      const { code, stderr } = await runInProcess({ ...database, dataDir }, command.split(' '));
      const isEmbedded = database.kind === 'embedded';
      expect([code, stderr.includes(`sudo -u ${owner.name}`)]).toEqual(
        isEmbedded ? [2, true] : [0, false],
      );
    },
  );

  it.each([
    ['portal:hunter2@db.example/portal', 'portal:PASSWORD@db.example/portal'],
    [
      'portal@db/portal?password=hunter2&sslmode=require',
      'portal@db/portal?password=PASSWORD&sslmode=require',
    ],
  ])(
    'in a data directory of another user, the command to run instead shows no password: %s',
    (given, shown) => {
      const args = ['copy', '--to', `postgres://${given}`];
      const run = () => requireOwner(dataDir, dataDir, { args, env: {} });
      expect(run).toThrow(shown);
      expect(run).not.toThrow('hunter2');
    },
  );

  it('with a data directory of another user, `content init` may write to a folder outside it', async () => {
    const elsewhere = createTemporaryFolder('portal-elsewhere-');
    const file = path.join(content, 'data/orders.csv');
    const init = ['content', 'init', file, '--folder', path.join(elsewhere, 'new')];
    const written = await runInProcess({ dataDir, databaseUrl: undefined }, init);
    fs.rmSync(elsewhere, { recursive: true });
    expect(written).toMatchObject({ code: 0, stderr: '' });
  });
});

it('a command may create a data directory that does not exist yet', async () => {
  const folder = createTemporaryFolder('portal-new-');
  const applied = await runInProcess(
    { ...database, dataDir: path.join(folder, 'data') },
    database.kind === 'embedded' ? ['migrate'] : ['content', 'apply', content, '-o', globex.id],
  );
  fs.rmSync(folder, { recursive: true });
  expect(applied).toMatchObject({ code: 0, stderr: '' });
});
