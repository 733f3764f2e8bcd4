import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('decisions', import.meta.url));
const readText = (file) => fs.readFileSync(path.join(folder, file), 'utf8');
const files = fs
  .readdirSync(folder, { recursive: true })
  .map((file) => String(file).replaceAll(path.sep, '/'))
  .filter((file) => file.endsWith('.md') && file !== 'README.md')
  .toSorted();

const form =
  /^# (.+)\n\n\*\*Context\.\*\* .+\n\n\*\*Decision\.\*\* .+\n\n\*\*Consequence\.\*\* .+\n$/;
const readTitle = (file) => form.exec(readText(file))?.[1];

/** The file name of a title: its words in lower case, without marks. */
const toFileName = (title) =>
  title
    .toLowerCase()
    .replaceAll(/['`]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

it('each decision is a title and one paragraph each of context, decision and consequence', () => {
  expect(files.filter((file) => !readTitle(file))).toEqual([]);
});

it('the file name of a decision is its title', () => {
  const others = files.filter(
    (file) => path.basename(file, '.md') !== toFileName(readTitle(file) ?? ''),
  );
  expect(others).toEqual([]);
});

it('the index lists each decision once, by its title', () => {
  const lines = [...readText('README.md').matchAll(/^- \[(.+)\]\((\S+\.md)\)$/gm)];
  const listed = lines.map(([, title, file]) => `${file}: ${title}`).toSorted();
  expect(listed).toEqual(files.map((file) => `${file}: ${readTitle(file)}`).toSorted());
});
