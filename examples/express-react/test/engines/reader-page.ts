import { send } from 'test-support';
import { startEngine, type Engine, type EnginePage } from 'test-support/engines';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';

const { env } = inject('demo');

/** A page of the portal on its own, as a reader sees it. */
export interface Reader {
  page: EnginePage;
}

type Poll = ReturnType<typeof expect.poll<string>>;
type Key = Parameters<EnginePage['press']>[0];

/** Starts the browser of the project, and opens the demo's sales report before each test. */
export function setUpReader(
  start: () => Promise<Engine> = startEngine,
  { total = '$2,297,201' } = {},
): Reader {
  const reader = {} as Reader;
  let engine: Engine;
  beforeAll(async () => {
    engine = await start();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    reader.page = await engine.openPage();
    await openSales(reader, total);
  });
  afterEach(() => reader.page.close());
  return reader;
}

const callApi = async (method: string, path: string, json?: unknown) =>
  (
    await send(env.REPORTS_URL + path, {
      method,
      headers: { 'x-api-key': env.ACME_API_KEY },
      ...(json === undefined ? {} : { json }),
    })
  ).json();

/** Opens a fresh URL of the portal, which lists all reports unless `target` names one. */
export async function openPortal({ page }: Reader, target: object = {}) {
  const { embedUrl } = await callApi('POST', '/api/identity/url', {
    userEmail: 'all@acme.example',
    baseUrl: env.ACME_BASE_URL,
    embed: false,
    ...target,
  });
  await page.open(embedUrl);
}

/** Opens the demo's sales report, and waits for its numbers. */
async function openSales(reader: Reader, total: string) {
  const { ACME_ORGANIZATION_ID: organizationId, SALES_REPORT_ID: reportId } = env;
  await openPortal(reader, { organizationId, reportId });
  await expectInTile(reader, 'Total sales', total);
  await expectInTile(reader, 'Sales by category', 'Technology');
}

/** Files and prints in the access log. */
export const countCopies = async () =>
  ((await callApi('GET', '/api/report-audit?action=2')) as { data: unknown[] }).data.length;

/** Runs in the page: the point at which a control can be clicked, once nothing covers it. */
const findControl = (name: string, tile: string | null) => {
  const tiles = [...document.querySelectorAll('section')];
  const root = tile === null ? document : tiles.find((each) => each.innerText.startsWith(tile));
  const controls = root?.querySelectorAll('button, summary, label, input, select, [role=tab]');
  const found = [...(controls ?? [])].find(
    (each) =>
      (each.getAttribute('aria-label') ?? each.textContent.trim()) === name &&
      each.checkVisibility(),
  );
  found?.scrollIntoView({ block: 'center', behavior: 'instant' });
  const box = found?.getBoundingClientRect();
  if (!found || !box) return null;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return found.contains(document.elementFromPoint(x, y)) ? { x, y } : null;
};

/** Runs in the page: the middle of the longest mark of a tile's drawing. */
const findLongestMark = (tile: string) => {
  const tiles = [...document.querySelectorAll('section')];
  const drawing = tiles.find((each) => each.innerText.startsWith(tile))?.querySelector('svg.plot');
  drawing?.scrollIntoView({ block: 'center', behavior: 'instant' });
  const size = ({ width, height }: DOMRect) => width * height;
  const [box] = [
    ...(drawing?.querySelectorAll('[aria-label="bar"] rect, [aria-label="rect"] rect') ?? []),
  ]
    .map((mark) => mark.getBoundingClientRect())
    .toSorted((one, other) => size(other) - size(one));
  return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
};

type Point = { x: number; y: number } | null;

async function clickPoint({ page }: Reader, find: () => Promise<Point>, what: string) {
  let point: Point = null;
  await expect
    .poll(async () => (point = await find()), { message: `the place of ${what}` })
    .not.toBeNull();
  await page.clickAt(point!.x, point!.y);
}

/** Clicks a control by its name, in a tile if one is given. */
export const click = (reader: Reader, name: string, tile: string | null = null) =>
  clickPoint(reader, () => reader.page.evaluate(findControl, name, tile), name);

export const clickLongestMark = (reader: Reader, tile: string) =>
  clickPoint(
    reader,
    () => reader.page.evaluate(findLongestMark, tile),
    `the longest mark of ${tile}`,
  );

export const press = ({ page }: Reader, key: Key) => page.press(key);

const readTile = (tile: string | null) =>
  tile === null
    ? document.body.innerText
    : ([...document.querySelectorAll('section')].find((each) => each.innerText.startsWith(tile))
        ?.innerText ?? '');

/** Polls the visible text of a tile. */
export const expectTile = ({ page }: Reader, tile: string): Poll =>
  expect.poll(() => page.evaluate(readTile, tile));
export const expectInTile = (reader: Reader, tile: string, text: string) =>
  expectTile(reader, tile).toContain(text);

/** Polls the visible text of the page. */
export const expectPage = ({ page }: Reader): Poll =>
  expect.poll(() => page.evaluate(readTile, null).catch(String));
