import fs from 'node:fs';
import path from 'node:path';

import { createTemporaryFolder } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { stageCopies } from './copies.ts';

/** The files of an organization, and two files of an author, one of which is missing. */
function createFiles() {
  const root = createTemporaryFolder('portal-copies-');
  onTestFinished(() => fs.rmSync(root, { recursive: true }));
  const folder = path.join(root, 'acme');
  const author = path.join(root, 'author.csv');
  fs.mkdirSync(folder);
  fs.writeFileSync(author, 'Region\nWest\n');
  fs.writeFileSync(path.join(folder, 'orders.csv'), 'Region\nEast\n');
  return {
    place: { root, organizationId: 'acme' },
    author,
    missing: path.join(root, 'missing.csv'),
    listCopies: () => fs.readdirSync(path.join(folder, '.versions')),
    read: (name: string) => fs.readFileSync(path.join(folder, name), 'utf8'),
  };
}

it('copies replace the files of an organization only when they are installed', async () => {
  const { place, author, listCopies, read } = createFiles();
  const names = ['orders.csv', 'parts/1.csv'];
  const copies = await stageCopies(place, new Map(names.map((name) => [name, author])));
  expect([listCopies().length, read('orders.csv')]).toEqual([2, 'Region\nEast\n']);
  await copies.install();
  expect(names.map(read)).toEqual(['Region\nWest\n', 'Region\nWest\n']);
  expect(listCopies()).toEqual([]);
});

it('copies that are not installed are removed, also if one of the files cannot be read', async () => {
  const { place, author, missing, listCopies, read } = createFiles();
  const copies = await stageCopies(place, new Map([['orders.csv', author]]));
  await copies.discard();
  expect(listCopies()).toEqual([]);
  const files = new Map([
    ['orders.csv', author],
    ['regions.csv', missing],
  ]);
  await expect(stageCopies(place, files)).rejects.toMatchObject({ code: 'ENOENT' });
  expect([listCopies(), read('orders.csv')]).toEqual([[], 'Region\nEast\n']);
});
