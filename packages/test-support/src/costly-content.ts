/**
 * Content that takes long to parse, to check or to compute, and is within every limit of size. Texts are
 * reports over the dataset `orders`, which has the fields `Order` and `Region` and the metric `Sales`.
 */

/** A data file of 10,000 groups, as many as a tile may have. */
export const costlyOrders = `Order,Region,Sales\n${Array.from({ length: 10_000 }, (_, index) => `Order ${index} of the year,Region ${index % 7},${index}\n`).join('')}`;

/** The dataset `orders` of `orders.csv`. */
export const ordersDataset = `name: Orders
source: { file: orders.csv }
rowAccess: everyone
metrics:
  - { name: Sales, expression: sum(Sales) }
`;

const head = 'name: Costly\nworkspace: Sales\ndataset: orders\n';

const writePage = (rows: string) => `${head}pages:\n  - name: Page\n    rows:\n${rows}`;

const writeRow = (tiles: readonly string[]) =>
  `      - tiles:\n${tiles.map((tile) => `          - ${tile}\n`).join('')}`;

/** The largest text of a tile. */
const textLength = 9_990;

const fill = (part: string) => part.repeat(Math.floor(textLength / part.length));

/** A page of 24 texts, which is nearly as much as a file may have. */
const writeTexts = (text: string, count = 24) =>
  writePage(
    Array.from({ length: count / 2 }, () =>
      writeRow(Array(2).fill(`{ type: text, text: ${JSON.stringify(text)} }`)),
    ).join(''),
  );

/** A page of tables with 10,000 groups each. */
const writeTables = (rows: number) =>
  writePage(
    Array.from({ length: rows }, (_, row) =>
      writeRow(
        Array.from(
          { length: 12 },
          (_tile, tile) =>
            `{ type: table, title: T${row}-${tile}, dimensions: [Order, Region], metrics: [Sales] }`,
        ),
      ),
    ).join(''),
  );

const backticks = Array.from({ length: 140 }, (_, count) => '`'.repeat(count)).join(' ');

/** Texts that cannot be saved. */
export const costlyTexts: Readonly<Record<string, string>> = {
  'quoted values': "'a' ".repeat(40_000),
  'a flow list': `${head}x: [${'a,'.repeat(49_000)}]\n`,
  'an open flow list': `[${'a,'.repeat(49_000)}`,
  'nested lists': `- ${'['.repeat(90)}${']'.repeat(90)}\n`.repeat(500),
  'a flow map': `{${':,'.repeat(24_000)}}`,
  'repeated keys': 'a: 1\n'.repeat(15_000),
  'a long comment': `#${'x'.repeat(250_000)}`,
  'block quotes': writeTexts(fill('>')),
  emphasis: writeTexts(fill('*a_')),
  brackets: writeTexts(fill('[')),
  'image brackets': writeTexts(fill('![')),
  backticks: writeTexts(backticks.slice(0, textLength)),
  'nested Markdown lists': writeTexts(fill('- > ')),
  'too many tables': writeTables(30),
};

/** Reports that can be saved. */
export const costlyReports: Readonly<Record<string, string>> = {
  texts: writeTexts(fill('**a '), 24),
  emphasis: writeTexts(fill('*a_'), 2),
  tables: writeTables(5),
};

/** A dataset with the largest expressions. */
export const costlyDataset = (source: string) => `name: Costly
source: ${source}
rowAccess: everyone
metrics:
${Array.from(
  { length: 60 },
  (_, index) =>
    `  - { name: M${index}, expression: "${Array.from({ length: 55 }, () => '(sum(Sales) * 2)').join(' + ')}" }\n`,
).join('')}`;
