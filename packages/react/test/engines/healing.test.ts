import { beforeEach, describe, expect, it } from 'vitest';

import {
  causesOf,
  expectLatestReport,
  expectReport,
  frameCount,
  headingOf,
  mount,
  reloadFrame,
  setUpEngine,
  statusOf,
} from './stage.ts';

const stage = setUpEngine();
/** WebKit keeps a document whose reload fails. */
const keepsDocument = process.env['PORTAL_TEST_ENGINE'] === 'webkit';

beforeEach(async () => {
  await mount(stage);
  await expectReport(stage, 1);
});

const refresh = () => stage.page.evaluate(() => window.app.handle!.refresh());

describe('the report is shown again', () => {
  it('when the reader reloads the frame', async () => {
    await reloadFrame(stage);
    await expectReport(stage, 2);
    expect(stage.host.mints).toBe(2);
  });

  it('when append moves the frame', async () => {
    await stage.page.evaluate(() => {
      const box = document.createElement('section');
      document.body.append(box);
      box.append(document.querySelector('#root')!);
    });
    await expectReport(stage, 2);
    expect(await causesOf(stage)).toEqual([]);
  });

  /** Reloads the frame while the portal is down, until the reload has failed. */
  async function reloadWithoutPortal() {
    let connections = 0;
    const restart = await stage.portal.breakDown(() => connections++);
    await reloadFrame(stage);
    await expect.poll(() => connections).toBeGreaterThan(0);
    await expect
      .poll(async () => keepsDocument || (await headingOf(stage)) !== 'Report 1')
      .toBe(true);
    return restart;
  }

  it('when the portal returns right after a failed reload of the frame', async () => {
    const restart = await reloadWithoutPortal();
    await restart();
    await expectLatestReport(stage);
    expect(await causesOf(stage)).toEqual([]);
  });

  it('when the portal returns between two attempts', async () => {
    const restart = await reloadWithoutPortal();
    await expect.poll(() => keepsDocument || stage.host.mints > 1).toBe(true);
    await restart();
    await expectLatestReport(stage);
    expect(await causesOf(stage)).toEqual([]);
  });

  it('when the reader tries again after the portal has returned', async () => {
    const restart = await reloadWithoutPortal();
    if (keepsDocument) await refresh();
    // A page that WebKit keeps reports by itself that it gets no answer.
    const cause = keepsDocument ? 'session_lost' : 'unreachable';
    await expect.poll(() => causesOf(stage), { timeout: 15_000 }).toEqual([cause]);
    await restart();
    await refresh();
    await expect.poll(() => statusOf(stage)).toBe('ready');
    await expectLatestReport(stage);
  });
});

it('a refresh shows the new report in one frame', async () => {
  await refresh();
  await expectReport(stage, 2);
  expect(await frameCount(stage)).toBe(1);
  expect(await causesOf(stage)).toEqual([]);
});

it('a change of report mints for that report', async () => {
  const { host, page } = stage;
  await mount(stage, { reportId: 'other' });
  await expectReport(stage, 2);
  await page.evaluate(() => window.app.handle!.setFilters([{ key: 'Region', value: 'West' }]));
  await expectReport(stage, 3);
  expect(host.mints).toBe(3);
  expect(await frameCount(stage)).toBe(1);
});
