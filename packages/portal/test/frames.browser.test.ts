import { send } from 'testing';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { unlinkReports } from '../src/access/report-links.ts';
import { setUpFrameHost } from './support/frame-host.ts';
import { addFramedReport } from './support/framed-reports.ts';
import { startLocalFrames, type LocalFrames } from './support/local-frame-platform.ts';

let frames: LocalFrames;
const {
  stage,
  frame,
  read,
  readInFrame,
  load,
  mintFor,
  openUrl,
  openReport,
  expectAnswer,
  answers,
} = setUpFrameHost({}, async () => {
  frames = await startLocalFrames();
  return [frames.platform];
});

/** Reports of the local product, by what is special about them. */
const reports: Record<'plain' | 'printed' | 'empty', { datasetId: string; reportId: string }> =
  {} as never;

beforeAll(async () => {
  const { acme } = stage.portal;
  const { west, east, both, none } = acme.emails;
  const add = (name: string, source = {}) =>
    addFramedReport(stage.portal, acme, frames, {
      name,
      source,
      holders: [west, east, both],
      readers: [none],
    });
  reports.plain = await add('Framed');
  reports.printed = await add('Printed', { canPrint: true, canExport: true });
  reports.empty = await add('Not set up', { isSetUp: false });
});

/** Problems that the browser has logged. */
let logged: string[];
beforeEach(() => {
  logged = [];
  stage.page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) logged.push(message.text());
  });
  stage.page.on('pageerror', (error) => logged.push(String(error)));
});

const product = () => frame().frameLocator('.framed-page').frameLocator('iframe');
const framed = (of: { reportId: string } = reports.plain) => ({ reportId: of.reportId });

it('a framed report is shown by its product alone, and its token is in no address or element', async () => {
  await load();
  await openReport(1, 'west', framed());
  await product().getByRole('heading', { name: 'west@acme.example as Staff' }).waitFor();
  const seen = await readInFrame<string>(
    `[location.href, document.documentElement.outerHTML, JSON.stringify(history.state),
      ...performance.getEntries().map(({ name }) => name)].join(' ')`,
  );
  expect(seen).toContain('/frames/local-frame');
  expect(seen).not.toContain('token-of-west');
  const addresses = stage.page.frames().map((each) => each.url());
  expect(addresses.slice(1)).toEqual([
    `${stage.portal.acme.address}/embed`,
    `${stage.portal.acme.address}/frames/local-frame`,
    `${frames.origin}/`,
  ]);
  expect(logged).toEqual([]);
});
