import { createRandom } from 'test-support/seed';

export interface Row {
  Region: string | null;
  Group: string;
  Product: string;
  Owner: string;
  Ordered: string;
  Quantity: number;
  Cents: number;
  Score: number | null;
}

/** The time of the data. */
export const lastDay = '2024-03-20';

const firstDay = Date.UTC(2023, 0, 1);
const days = 445;

/** Rows from January 2023 to March 20, 2024. */
export function createRows(count: number, owners: readonly string[], seed: number): Row[] {
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
  return Array.from({ length: count }, (_, index): Row => {
    const group = pick(['Chairs', 'Desks', 'Lamps']);
    const day = index === 0 ? days - 1 : below(days);
    return {
      Region: pick(['West', 'East', 'North', null]),
      Group: group,
      Product: `${group} ${1 + below(4)}`,
      Owner: pick(owners),
      Ordered: new Date(firstDay + day * 86_400_000).toISOString().slice(0, 10),
      Quantity: 1 + below(9),
      Cents: below(100_000) - 10_000,
      Score: random() < 0.3 ? null : below(20) / 2,
    };
  });
}

const columns = ['Region', 'Group', 'Product', 'Owner', 'Ordered', 'Quantity', 'Score'] as const;

export const writeCsv = (rows: readonly Row[]): string =>
  [
    [...columns, 'Sales'].join(','),
    ...rows.map((row) => [...columns.map((name) => row[name] ?? ''), row.Cents / 100].join(',')),
    '',
  ].join('\n');
