import fs from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findOverflow } from '../support/admin-pages.ts';
import { adminPages, adminStates } from '../support/admin-states.ts';
import { setUpAdminStates, type WalkOptions } from '../support/admin-walk.ts';
import { findViolations, wcagRules } from '../support/axe.ts';

const admin = setUpAdminStates();

/** Folder for a screenshot of each state, to look at them. */
const screenshots = process.env['PORTAL_TEST_SCREENSHOTS'];

type Look = Required<Pick<WalkOptions, 'locale' | 'colorScheme' | 'width'>> &
  Pick<WalkOptions, 'forcedColors' | 'direction'>;

/**
 * Each width in both languages, each language in both color schemes, colors that the system forces,
 * and English from right to left.
 */
const looks = [
  { locale: 'en-US', colorScheme: 'light', width: 390 },
  { locale: 'en-US', colorScheme: 'dark', width: 1024 },
  { locale: 'en-US', colorScheme: 'light', width: 1920 },
  { locale: 'pt-BR', colorScheme: 'dark', width: 390 },
  { locale: 'pt-BR', colorScheme: 'light', width: 1024 },
  { locale: 'pt-BR', colorScheme: 'dark', width: 1920 },
  { locale: 'en-US', colorScheme: 'light', width: 1440, forcedColors: 'active' },
  { locale: 'en-US', colorScheme: 'dark', width: 1440, forcedColors: 'active' },
  { locale: 'en-US', colorScheme: 'light', width: 1024, direction: 'rtl' },
] as const satisfies Look[];

describe.each<Look>(looks)('$locale, $colorScheme, $width px:', (look) => {
  let walk: Awaited<ReturnType<typeof admin.start>>;
  beforeAll(async () => {
    walk = await admin.start(look);
    // At most ten uploaded files may wait to become datasets.
    const { datasetFolder, acme } = admin.portal;
    fs.rmSync(path.join(datasetFolder, acme.id, '.uploads'), { recursive: true, force: true });
  });
  afterAll(() => walk.close());

  it.each(Object.entries({ ...adminPages, ...adminStates }))(
    '%s fits and is accessible',
    { timeout: 60_000 },
    async (name, state) => {
      const { page } = await walk.bring(state);
      if (screenshots !== undefined) {
        const folder = path.join(screenshots, Object.values(look).join(' '));
        fs.mkdirSync(folder, { recursive: true });
        await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
      }
      expect(await findViolations(page, wcagRules)).toEqual([]);
      expect(await page.evaluate(findOverflow)).toEqual([]);
    },
  );
});
