import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { builtinPlatform } from './platform.ts';

it('one organization’s report is there before all that another one asked for earlier', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'datasets-'));
  fs.writeFileSync(path.join(folder, 'orders.csv'), 'Sales\n1\n2\n');
  const platform = builtinPlatform(folder);
  onTestFinished(async () => {
    await platform.close();
    fs.rmSync(folder, { recursive: true });
  });
  const measure = { label: 'Sales', aggregate: 'sum', column: 'Sales', format: 'dollars' };
  const tile = { id: 'total', title: 'Total', mark: 'kpi', measure };
  const done: string[] = [];
  const compute = async (organizationId: string) => {
    const computed = await platform.compute({
      organizationId,
      dataset: { name: 'Orders', file: 'orders.csv' },
      definition: { tiles: [tile] },
      visibleRows: { all: [] },
      viewerEmail: 'west@acme.example',
      filters: [],
      signal: new AbortController().signal,
    });
    expect(computed.rowCount).toBe(2);
    done.push(organizationId);
  };
  await compute('globex');
  const asked = Array.from({ length: 60 }, () => compute('acme'));
  await Promise.all([...asked, compute('globex')]);
  expect(done.lastIndexOf('globex')).toBeLessThan(30);
});
