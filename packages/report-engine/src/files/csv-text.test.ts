import fs from 'node:fs';
import path from 'node:path';

import { createTemporaryFolder } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { parseRows, readHead } from './csv-text.ts';

it.each([0, 1, 2, 3])(
  'a file whose first MB ends %i bytes into a character is read as UTF-8',
  async (cut) => {
    const folder = createTemporaryFolder('portal-csv-');
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'wide.csv');
    const start = `Größe,Note\n`;
    const filler = ' '.repeat((1_000_000 - cut - Buffer.byteLength(start)) % 4);
    fs.writeFileSync(file, start + filler + '🙂'.repeat(250_000));
    const { text, isUtf8 } = await readHead(file);
    expect(isUtf8).toBe(true);
    expect(parseRows(text, ',').next().value).toEqual({ cells: ['Größe', 'Note'], line: 1 });
  },
);
