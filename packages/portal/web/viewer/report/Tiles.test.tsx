import type { Tile } from '@portal-embed/report-model';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import { createSampleApi, openViewer } from '../test/open-viewer.tsx';
import { byCategory, byMonth, reportSession, salesView } from '../test/samples.ts';

async function showTiles(...tiles: Tile[]) {
  const api = createSampleApi();
  api.viewReport.mockResolvedValue({ ...salesView, tiles });
  const page = openViewer(reportSession, api);
  await page.start();
  return page;
}

const kpi = { id: 'kpi', title: 'Total', mark: 'kpi' } as const;

describe('a KPI tile', () => {
  it.each([
    ['dollars', 725_457.82, '$725,458'],
    ['dollars', -12.5, '-$13'],
    ['integer', 3_000_000, '3,000,000'],
    ['decimal', 7.25, '7.3'],
    ['decimal', 7, '7.0'],
    ['integer', 0, '0'],
    ['dollars', null, '–'],
  ] as const)('in %s shows %d as %s', async (format, value, text) => {
    await showTiles({ ...kpi, format, value });
    expect(within(screen.getByRole('region', { name: 'Total' })).getByText(text)).toBeVisible();
  });
});

describe('a chart', () => {
  it('has a name and states its highest and lowest values in words', async () => {
    await showTiles(byMonth);
    expect(screen.getByRole('figure', { name: 'Sales by month' })).toHaveTextContent(
      'Line chart of Sales by Month, 3 values. Highest $301 at Nov 2017, lowest $100 at Oct 2017.',
    );
  });

  it('toggles to a table with the same numbers and back', async () => {
    await showTiles(byCategory);
    const toggle = screen.getByRole('button', { name: 'Show Sales by category as a table' });
    await userEvent.click(toggle);
    const rows = within(screen.getByRole('table', { name: 'Sales by category' })).getAllByRole(
      'row',
    );
    expect(rows.map((row) => row.textContent)).toEqual([
      'CategorySales',
      'Technology$251,992',
      'Furniture$252,613',
      '(blank)$12',
    ]);
    expect(toggle).toHaveAttribute('aria-pressed', 'true');
    await userEvent.click(toggle);
    expect(toggle).toHaveAttribute('aria-pressed', 'false');
    expect(screen.getByRole('figure', { name: 'Sales by category' })).toBeVisible();
  });

  it('a table has headers for its columns and rows', async () => {
    await openViewer(reportSession, createSampleApi(), async () => null).start();
    const table = within(screen.getByRole('table', { name: 'Sales by month' }));
    const namesOf = (role: string) => table.getAllByRole(role).map((cell) => cell.textContent);
    expect(namesOf('columnheader')).toEqual(['Month', 'Sales']);
    expect(namesOf('rowheader')).toEqual(['Oct 2017', 'Nov 2017', 'Dec 2017']);
    expect(namesOf('cell')).toEqual(['$100', '$301', '–']);
    const [, measure] = table.getAllByRole('columnheader');
    for (const cell of [measure, ...table.getAllByRole('cell')]) expect(cell).toHaveClass('number');
  });

  it('is shown as a table if the drawing code fails to load', async () => {
    await openViewer(reportSession, createSampleApi(), async () => null).start();
    expect(screen.getByRole('table', { name: 'Sales by month' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /as a table/ })).toBeNull();
  });
});
