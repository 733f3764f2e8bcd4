import path from 'node:path';

import { chooseRepetitions } from 'test-support/repetitions';
import { readSeed } from 'test-support/seed';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { TilesView } from '#viewer/requests';

import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { createUser } from '../../src/users/service.ts';
import { writeFiles } from '../support/content-files.ts';
import { exportTile, readExported } from '../support/exported.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { checkFile, checkKpi, checkKpiFile, checkTile } from '../support/reader-numbers/check.ts';
import { choices, type Choice } from '../support/reader-numbers/choices.ts';
import { dataset, kpi, report, tiles } from '../support/reader-numbers/report.ts';
import { createRows, writeCsv, type Row } from '../support/reader-numbers/rows.ts';
import { startSession, view } from '../support/viewer.ts';
import { publish } from '../support/warehouse.ts';

interface Reader {
  email: string;
  roles: string[];
  sees: (row: Row) => boolean;
}

const isWest = ({ Region }: Row) => Region === 'West';
const isEast = ({ Region }: Row) => Region === 'East';
const email = (name: string) => `${name}@acme.example`;
const isOf =
  (owner: string) =>
  ({ Owner }: Row) =>
    Owner === owner;

const readers: readonly Reader[] = [
  { email: email('west'), roles: ['West'], sees: isWest },
  { email: email('east'), roles: ['East'], sees: isEast },
  { email: email('both'), roles: ['West', 'East'], sees: (row) => isWest(row) || isEast(row) },
  { email: email('none'), roles: [], sees: () => false },
  { email: email('owner'), roles: ['Own'], sees: isOf(email('owner')) },
  { email: email('chief'), roles: ['Everything', 'West'], sees: () => true },
];

const seed = readSeed();
const rows = createRows(
  400,
  readers.map((reader) => reader.email),
  seed,
);
let portal: TestPortal;
let reportId: string;
beforeAll(async () => {
  portal = await startTestPortal();
  const { acme } = portal;
  writeFiles(path.join(portal.datasetFolder, acme.id), { 'numbers.csv': writeCsv(rows) });
  const { ctx } = acme;
  for (const name of ['owner', 'chief'])
    await createUser(ctx, { email: email(name), name, role: 3 });
  const applied = await publish(portal, acme, dataset, report);
  ({ reportId } = applied);
  const { datasetId } = applied;
  for (const reader of readers) {
    await linkReports(ctx, { userEmail: reader.email, reports: [reportId] });
    for (const role of reader.roles)
      await linkUsers(ctx, { datasetId, role, usersEmails: [reader.email] });
  }
}, 60_000);
afterAll(() => portal.close());

async function openAs({ email: userEmail }: Reader, choice: Choice) {
  const { acme } = portal;
  const { filters = [], drills = [], searches = [], host: customFilters = [] } = choice;
  const { bearer } = await startSession(portal, acme, { userEmail, reportId, customFilters });
  const chosen = { filters, drills, searches, sorts: [] };
  return {
    readPage: async (): Promise<TilesView> => {
      const answer = await view(acme.address, bearer, reportId, { view: chosen });
      expect(answer.status).toBe(200);
      return answer.json();
    },
    readFile: async (tile: string, format: 'csv' | 'xlsx') => {
      const json = { tile, format, view: chosen };
      const answer = await exportTile(acme.address, { bearer, reportId, json });
      expect(answer.status).toBe(200);
      return readExported(format, answer);
    },
  };
}

/** In `npm test`, each reader makes other choices. */
const isDeep = chooseRepetitions(1, 2) > 1;
const takeChoices = (position: number) =>
  isDeep ? choices : choices.filter((_, index) => index % readers.length === position);

it.each(readers.map((reader, index) => [reader.email, reader, index] as const))(
  'the page and the files of %s show the numbers of a plain computation after each choice',
  async (_email, reader, position) => {
    const visible = rows.filter(reader.sees);
    for (const choice of takeChoices(position)) {
      const { readPage, readFile } = await openAs(reader, choice);
      const { page } = await readPage();
      const computed = page.rows.flat();
      expect(computed).toHaveLength(tiles.length + 2);
      const findTile = (id: string) => {
        const tile = computed.find((each) => each.id === id);
        if (!tile || 'failure' in tile) throw new Error(`The tile ${id} has no numbers.`);
        return tile;
      };
      checkKpi(findTile(kpi), visible, choice);
      for (const tile of tiles) checkTile(tile, findTile(tile.id), visible, choice);
      for (const format of ['csv', 'xlsx'] as const) {
        checkKpiFile(await readFile(kpi, format), visible, choice);
        for (const tile of isDeep ? tiles : tiles.slice(position, position + 6))
          checkFile(tile, await readFile(tile.id, format), visible, choice);
        // A workbook takes a process, so `npm test` writes few of them.
        if (!isDeep) break;
      }
      if (isDeep) continue;
      const tile = tiles.at(-1 - position)!;
      checkFile(tile, await readFile(tile.id, 'xlsx'), visible, choice);
    }
  },
  600_000,
);
