import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { inflateRawSync } from 'node:zlib';

import { readSheet } from 'read-excel-file/node';
import { createTemporaryFolder } from 'test-support';
import { expect, it, onTestFinished, vi } from 'vitest';

import type { ExportedTile } from '#platform';

import { writeCsv } from './tile-csv.ts';
import { writeXlsx } from './xlsx.ts';

const owner = { organizationId: '1', userId: '1' };

const createTile = (cells: string[]): ExportedTile => ({
  columns: [{ name: 'Note_x0041_', type: 'text' }],
  rowCount: cells.length,
  rows: (async function* () {
    yield cells.map((cell) => [cell]);
  })(),
});

/** Unpacks a part of a workbook, which is a ZIP archive. */
function readPart(file: Buffer, name: string): string {
  const at = file.indexOf(name);
  const extraLength = file.readUInt16LE(at - 2);
  return inflateRawSync(file.subarray(at + name.length + extraLength)).toString();
}

it.each([
  ['an escape of XML', '_x0041_ and _x005f_x0041_'],
  ['control characters', 'a\u0001b\u001Fc\td\ne'],
  ['no character', 'a\uFFFEb'],
  ['the largest length', '\u0001'.repeat(32_767)],
])('a workbook keeps a text with %s', async (_title, text) => {
  const file = await writeXlsx(owner, createTile([text]), new AbortController().signal);
  expect(await readSheet(file)).toEqual([['Note_x0041_'], [text]]);
});

it('a workbook shows a percentage as one', async () => {
  const percent = { style: 'percent', notation: 'standard', maximumFractionDigits: 1 } as const;
  const exact = { style: 'percent', notation: 'standard', minimumFractionDigits: 2 } as const;
  const tile: ExportedTile = {
    columns: [
      { name: 'Share', type: 'number', format: percent },
      { name: 'Exact', type: 'number', format: exact },
    ],
    rowCount: 1,
    rows: (async function* () {
      yield [[0.125, 0.125]];
    })(),
  };
  const file = await writeXlsx(owner, tile, new AbortController().signal);
  expect(await readSheet(file)).toEqual([
    ['Share', 'Exact'],
    [0.125, 0.125],
  ]);
  for (const format of ['0.0%', '0.00%'])
    expect(readPart(file, 'xl/styles.xml')).toContain(`formatCode="${format}"`);
});

const pivot: ExportedTile = {
  columns: [
    { name: 'Region', type: 'text', heads: [] },
    ...[2023, 2024].flatMap((year) =>
      ['Sales', 'Orders'].map((name) => ({
        name,
        type: 'number' as const,
        heads: [
          { value: '=Group', type: 'text' as const },
          { value: `${year}-01-01`, type: 'date' as const },
        ],
      })),
    ),
  ],
  rowCount: 1,
  get rows() {
    return (async function* () {
      yield [['West', 1, 2, 3, 4]];
    })();
  },
};

it('a workbook has the heads of a pivot over their columns, in merged cells', async () => {
  const file = await writeXlsx(owner, pivot, new AbortController().signal);
  const [first, second] = [new Date('2023-01-01'), new Date('2024-01-01')];
  expect(await readSheet(file)).toEqual([
    [null, '=Group', null, null, null],
    [null, first, null, second, null],
    ['Region', 'Sales', 'Orders', 'Sales', 'Orders'],
    ['West', 1, 2, 3, 4],
  ]);
  const sheet = readPart(file, 'xl/worksheets/sheet1.xml');
  for (const merged of ['B1:E1', 'B2:C2', 'D2:E2']) expect(sheet).toContain(`ref="${merged}"`);
});

it('a CSV file repeats the heads of a pivot for each column, without formulas', async () => {
  const parts: string[] = await Readable.from(writeCsv(pivot)).toArray();
  expect(parts.join('').replace('\uFEFF', '').trimEnd().split('\r\n')).toEqual([
    ",'=Group,'=Group,'=Group,'=Group",
    ',2023-01-01,2023-01-01,2024-01-01,2024-01-01',
    'Region,Sales,Orders,Sales,Orders',
    'West,1,2,3,4',
  ]);
});

it('an integer of more than 15 digits is a text, since Excel changes the others', async () => {
  const tile: ExportedTile = {
    columns: [
      { name: 'Account', type: 'integer' },
      { name: 'Measure', type: 'number' },
    ],
    rowCount: 3,
    rows: (async function* () {
      yield [
        [999_999_999_999_999, 1e15],
        [-1_234_567_890_123_456, 0.5],
        ['9007199254740993', null],
      ];
    })(),
  };
  const file = await writeXlsx(owner, tile, new AbortController().signal);
  expect((await readSheet(file)).slice(1)).toEqual([
    [999_999_999_999_999, 1e15],
    ['-1234567890123456', 0.5],
    ['9007199254740993', null],
  ]);
});

it.each(['UTC', 'America/New_York'])(
  'a workbook keeps times, booleans and missing values in the time zone %s',
  async (timeZone) => {
    vi.stubEnv('TZ', timeZone);
    onTestFinished(() => void vi.unstubAllEnvs());
    const tile: ExportedTile = {
      columns: [
        { name: 'At', type: 'datetime' },
        { name: 'Paid', type: 'boolean' },
      ],
      rowCount: 2,
      rows: (async function* () {
        yield [
          ['2024-02-29T13:45:10', true],
          [null, false],
        ];
      })(),
    };
    const file = await writeXlsx(owner, tile, new AbortController().signal);
    expect(await readSheet(file)).toEqual([
      ['At', 'Paid'],
      [new Date('2024-02-29T13:45:10Z'), true],
      [null, false],
    ]);
    expect(readPart(file, 'xl/styles.xml')).toContain('formatCode="yyyy-mm-dd hh:mm:ss"');
  },
);

it('a workbook has bold names of columns that stay in view, and columns as wide as a date with its time', async () => {
  const file = await writeXlsx(owner, createTile(['a']), new AbortController().signal);
  expect(readPart(file, 'xl/styles.xml')).toContain('<b/>');
  const sheet = readPart(file, 'xl/worksheets/sheet1.xml');
  for (const part of ['state="frozen"', 'ySplit="1"', 'width="16"']) expect(sheet).toContain(part);
});

it('a workbook cuts a text to 32,767 characters, the limit of Excel', async () => {
  const file = await writeXlsx(
    owner,
    createTile(['a'.repeat(32_768)]),
    new AbortController().signal,
  );
  expect(await readSheet(file)).toEqual([['Note_x0041_'], [`${'a'.repeat(32_766)}…`]]);
});

it('the process of a workbook does not get the secrets of the portal', async () => {
  const failing = `data:text/javascript,process.env.PORTAL_DATABASE_URL&&process.exit(4)`;
  vi.stubEnv('NODE_OPTIONS', `${process.env.NODE_OPTIONS ?? ''} --import "${failing}"`);
  vi.stubEnv('PORTAL_DATABASE_URL', 'postgres://portal:secret@db/portal');
  onTestFinished(() => void vi.unstubAllEnvs());
  const file = await writeXlsx(owner, createTile(['a']), new AbortController().signal);
  expect(await readSheet(file)).toEqual([['Note_x0041_'], ['a']]);
});

it('the process of a workbook has a memory limit and a low priority', async () => {
  const code = `import os from 'node:os';
    if (os.getPriority() !== os.constants.priority.PRIORITY_LOW) process.exit(4);
    if (!process.execArgv.includes('--max-old-space-size=1024')) process.exit(5);`;
  const checking = `data:text/javascript,${encodeURIComponent(code)}`;
  vi.stubEnv('NODE_OPTIONS', `${process.env.NODE_OPTIONS ?? ''} --import "${checking}"`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const file = await writeXlsx(owner, createTile(['a']), new AbortController().signal);
  expect(await readSheet(file)).toHaveLength(2);
});

it('one workbook is written at a time', async () => {
  const folder = createTemporaryFolder('portal-xlsx-');
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'turns');
  const code = `import fs from 'node:fs';
    const note = (text) => fs.appendFileSync('${file}', text);
    note('(');
    process.on('exit', () => note(')'));`;
  const noting = `data:text/javascript,${encodeURIComponent(code)}`;
  vi.stubEnv('NODE_OPTIONS', `${process.env.NODE_OPTIONS ?? ''} --import "${noting}"`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { signal } = new AbortController();
  const owners = ['1', '2', '3'].map((id) => ({ organizationId: id, userId: id }));
  await Promise.all(owners.map((each) => writeXlsx(each, createTile(['a']), signal)));
  expect(fs.readFileSync(file, 'utf8')).toBe('()()()');
});

it('a workbook that takes too long ends, and the next one is written', async () => {
  const { signal } = new AbortController();
  const slow = writeXlsx(owner, createTile(['a']), signal, 1);
  await expect(slow).rejects.toMatchObject({ name: 'ReportError', reason: 'timeout' });
  expect(await readSheet(await writeXlsx(owner, createTile(['a']), signal))).toHaveLength(2);
});

it('the process of a workbook ends when its reader has disconnected', async () => {
  const folder = createTemporaryFolder('portal-xlsx-');
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'pid');
  const code = `import fs from 'node:fs';fs.writeFileSync('${file}',String(process.pid));setInterval(()=>{},1e3)`;
  const endless = `data:text/javascript,${encodeURIComponent(code)}`;
  vi.stubEnv('NODE_OPTIONS', `${process.env.NODE_OPTIONS ?? ''} --import "${endless}"`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const reader = new AbortController();
  const outcome = writeXlsx(owner, createTile(['a']), reader.signal).catch((error: Error) => error);
  await expect.poll(() => fs.existsSync(file) && fs.readFileSync(file, 'utf8')).toMatch(/\d/);
  const pid = Number(fs.readFileSync(file, 'utf8'));
  reader.abort();
  expect(await outcome).toMatchObject({ name: 'AbortError' });
  // Signal 0 only checks that the process exists.
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
});

it('the output of a module that NODE_OPTIONS preloads does not corrupt a workbook', async () => {
  const preload = `data:text/javascript,console.log('preloaded')`;
  vi.stubEnv('NODE_OPTIONS', `${process.env.NODE_OPTIONS ?? ''} --import "${preload}"`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const file = await writeXlsx(owner, createTile(['a']), new AbortController().signal);
  // The bytes with which a ZIP archive begins.
  expect(file.toString('latin1', 0, 2)).toBe('PK');
  expect(await readSheet(file)).toEqual([['Note_x0041_'], ['a']]);
});

it('a process that ends before it has read the rows has crashed', async () => {
  vi.stubEnv('NODE_OPTIONS', '--no-such-option');
  onTestFinished(() => void vi.unstubAllEnvs());
  const many = Array.from({ length: 100_000 }, (_, row) => `row ${row}`);
  const file = writeXlsx(owner, createTile(many), new AbortController().signal);
  await expect(file).rejects.toMatchObject({ name: 'ReportError', reason: 'crashed' });
});

it('a process that ends without an error before it has read the rows has crashed', async () => {
  const ending = `data:text/javascript,process.exit(0)`;
  vi.stubEnv('NODE_OPTIONS', `${process.env.NODE_OPTIONS ?? ''} --import "${ending}"`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const many = Array.from({ length: 100_000 }, (_, row) => `row ${row}`);
  const file = writeXlsx(owner, createTile(many), new AbortController().signal);
  await expect(file).rejects.toMatchObject({ name: 'ReportError', reason: 'crashed' });
});

it('a workbook whose process fails is an error, and not an empty file', async () => {
  const failing = `data:text/javascript,process.exitCode=3;process.stdin.resume()`;
  vi.stubEnv('NODE_OPTIONS', `${process.env.NODE_OPTIONS ?? ''} --import "${failing}"`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const file = writeXlsx(owner, createTile(['a']), new AbortController().signal);
  await expect(file).rejects.toMatchObject({
    reason: 'crashed',
    message: 'The workbook process exited with code 3.',
  });
});
