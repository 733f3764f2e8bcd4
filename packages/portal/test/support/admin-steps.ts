import type { AdminPage } from './admin-pages.ts';
import type { AdminStage } from './admin-stage.ts';
import type { AdminTexts } from './admin-texts.ts';

/** A page with its text in the language of the browser. */
export interface StatePage {
  page: AdminPage;
  text: AdminTexts;
}

export interface AdminState {
  /** Default: an administrator. */
  who?: 'contributor' | 'operator' | 'nobody';
  /** Below the organization's home, or from `/admin` on. */
  path?: string | ((stage: AdminStage) => string);
  /** Changes the page before it is opened, such as the answers to its requests. */
  prepare?: (page: AdminPage) => Promise<unknown>;
  bring?: (opened: StatePage) => Promise<unknown>;
}

export const button = ({ page, text }: StatePage, ...of: Parameters<AdminTexts>) =>
  page.getByRole('button', { name: text(...of), exact: true }).first();
export const press =
  (...of: Parameters<AdminTexts>) =>
  async (opened: StatePage): Promise<void> =>
    button(opened, ...of).click();
export const opens =
  (...of: Parameters<AdminTexts>) =>
  async (opened: StatePage): Promise<void> => {
    await press(...of)(opened);
    await opened.page.getByRole('dialog').waitFor();
  };
export const shows =
  (...of: Parameters<AdminTexts>) =>
  async ({ page, text }: StatePage): Promise<void> =>
    page
      .getByText(text(...of), { exact: true })
      .first()
      .waitFor();
export const steps =
  (...all: ((opened: StatePage) => Promise<unknown>)[]) =>
  async (opened: StatePage): Promise<void> => {
    for (const step of all) await step(opened);
  };
export const fill =
  (key: string, value: string) =>
  async ({ page, text }: StatePage): Promise<void> =>
    page.getByLabel(text(key)).first().fill(value);
export const submit = async ({ page }: StatePage): Promise<void> => page.keyboard.press('Enter');

export const answers = (pattern: string, status: number, json: object) => (page: AdminPage) =>
  page.route(pattern, (route) => route.fulfill({ status, json }));
