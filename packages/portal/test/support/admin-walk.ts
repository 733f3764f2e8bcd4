import { beforeAll, expect } from 'vitest';

import { setUpAdminPages } from './admin-pages.ts';
import { fillAdministration, type AdminStage } from './admin-stage.ts';
import type { AdminState } from './admin-steps.ts';
import { readAdminTexts } from './admin-texts.ts';
import { signInAs, testPassword, type AdminBrowser } from './admin.ts';

type Who = NonNullable<AdminState['who']> | 'administrator';

const roles = { administrator: 1, contributor: 2, operator: 'operator' } as const;

export interface WalkOptions {
  locale?: 'en-US' | 'pt-BR';
  colorScheme?: 'light' | 'dark';
  width?: number;
  forcedColors?: 'active' | 'none';
  /** Draws the texts of `locale` from right to left. */
  direction?: 'rtl';
  /** Follows links instead of loading each page: it is quicker, but dialogs and answers stay. */
  isOneDocument?: boolean;
}

/** A portal with something of each kind, and pages in each of their states. */
export function setUpAdminStates() {
  const admin = setUpAdminPages();
  const browsers = new Map<Who, AdminBrowser>();
  let stage: AdminStage;
  beforeAll(async () => {
    const { portal } = admin;
    stage = await fillAdministration(portal);
    for (const [who, role] of Object.entries(roles) as [keyof typeof roles, 1 | 2 | 'operator'][]) {
      browsers.set(who, await signInAs(portal, portal.acme, role, `${who}@acme.example`));
    }
  });

  async function openAs(who: Who, options: WalkOptions) {
    const {
      locale = 'en-US',
      colorScheme = 'light',
      width = 1280,
      forcedColors = 'none',
    } = options;
    const { page, complaints } = await admin.openPage({
      locale,
      colorScheme,
      forcedColors,
      reducedMotion: 'reduce',
      viewport: { width, height: 900 },
    });
    if (options.direction === 'rtl') await page.addInitScript(drawRightToLeft);
    const browser = browsers.get(who);
    if (browser) {
      const [name, value] = browser.cookie().split('=') as [string, string];
      await page.context().addCookies([{ name, value, url: admin.portal.adminUrl }]);
    }
    return { page, complaints, text: readAdminTexts(locale === 'pt-BR' ? 'pt' : 'en') };
  }

  return {
    get portal() {
      return admin.portal;
    },
    /** Opens one browser profile for each kind of person, to bring pages into states one by one. */
    async start(options: WalkOptions = {}) {
      // Many walks take longer than a confirmation counts as fresh.
      for (const browser of browsers.values()) {
        const json = { password: testPassword };
        expect(await browser.send('POST', '/session/confirm', { json })).toMatchObject({
          status: 200,
        });
      }
      const opened = new Map<Who, Awaited<ReturnType<typeof openAs>>>();
      return {
        async bring(state: AdminState) {
          const { path = '', prepare, bring } = state;
          const who: Who = state.who ?? 'administrator';
          const isNew = !opened.has(who);
          const known = opened.get(who) ?? (await openAs(who, options));
          opened.set(who, known);
          const { page } = known;
          known.complaints.length = 0;
          const url = resolve(typeof path === 'string' ? path : path(stage));
          if (isNew || !options.isOneDocument || prepare) {
            await page.unrouteAll();
            await prepare?.(page);
            // An address that differs only in its fragment would not load the page.
            await page.goto('about:blank');
            await page.goto(url);
          } else await page.evaluate(followLink(url));
          await page.getByRole('heading', { level: 1 }).waitFor();
          if (!prepare)
            await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
          await bring?.(known);
          return known;
        },
        close: async () => {
          for (const { page } of opened.values()) await page.context().close();
        },
      };
    },
  };

  function resolve(path: string): string {
    const { adminUrl, acme } = admin.portal;
    return path.startsWith('/admin')
      ? adminUrl + path
      : `${adminUrl}/admin/organizations/${acme.id}${path}`;
  }
}

/** Sets the direction before the modules of the page run. Documents in frames keep theirs. */
const drawRightToLeft = `
  if (self === top)
    document.addEventListener(
      'readystatechange',
      () => { document.documentElement.dir = 'rtl' },
      { once: true },
    );`;

/** Changes the address as a link of the pages does. Evaluated in the browser. */
const followLink = (url: string) => `
  history.pushState(null, '', ${JSON.stringify(url)});
  dispatchEvent(new HashChangeEvent('hashchange'));`;
