import { expect, it } from 'vitest';

import {
  chooseRegion,
  countFrames,
  countMints,
  expectInReport,
  expectStatus,
  isMarked,
  markDocument,
  setUpDemo,
} from './demo-page.ts';

const stage = setUpDemo('all@acme.example');

it('a user who signs in sees their report', async () => {
  await expectInReport(stage, '$2,297,201');
  expect(await countMints(stage)).toBe(1);
  expect(await countFrames(stage)).toBe(1);
});

it('a changed filter and a changed report replace the numbers in place', async () => {
  await expectInReport(stage, '$2,297,201');
  await markDocument(stage);
  await chooseRegion(stage, 'West');
  await expectInReport(stage, '$725,458');
  await chooseRegion(stage, '');
  await expectInReport(stage, '$2,297,201');
  await stage.page.click('fieldset:first-of-type label:nth-of-type(2) input');
  await expectInReport(stage, 'Flight delays');
  await expectStatus(stage, 'ready');
  expect(await isMarked(stage)).toBe(true);
  expect(await countFrames(stage)).toBe(1);
  expect(await countMints(stage)).toBe(4);
});

it('a refresh keeps the document of the frame', async () => {
  await expectInReport(stage, '$2,297,201');
  await markDocument(stage);
  await stage.page.click('.controls button');
  await expect.poll(() => countMints(stage)).toBe(2);
  await expectStatus(stage, 'ready');
  await expectInReport(stage, '$2,297,201');
  expect(await isMarked(stage)).toBe(true);
});

it('a frame that is moved or reloaded comes back with its report and filter', async () => {
  await chooseRegion(stage, 'West');
  await expectInReport(stage, '$725,458');
  await expectStatus(stage, 'ready');
  await stage.page.evaluate(() => {
    const frame = document.querySelector('iframe')!;
    frame.parentElement!.append(frame);
  });
  await expect.poll(() => countMints(stage)).toBe(3);
  await expectInReport(stage, '$725,458');
  await expectStatus(stage, 'ready');
  await stage.page.evaluateInFrame(() => void setTimeout(() => location.reload()));
  await expect.poll(() => countMints(stage)).toBe(4);
  await expectInReport(stage, '$725,458');
  await expectStatus(stage, 'ready');
});

it('the report is visible after Back', async () => {
  const { page } = stage;
  await page.open('about:blank');
  await page.back();
  await expectStatus(stage, 'ready');
  expect(await countFrames(stage)).toBe(1);
});
