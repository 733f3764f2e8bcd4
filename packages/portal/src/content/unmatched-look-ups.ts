import type { Dataset, ViewerAttribute } from '@portal-embed/report-model';

import {
  findKeysOf,
  listLookUps,
  type LookUpKey,
  type ReaderTexts,
  type SourceOptions,
} from '#report-engine';

import type { Context } from '../actor/actor.ts';
import type { Database } from '../db/connection/open.ts';
import { findDefinedDataset } from './definitions-store.ts';
import { getFilePath, type DatasetItem } from './items.ts';
import type { GivenContent } from './read-files.ts';

/** A look-up of a role. */
interface Found {
  item: DatasetItem;
  role: string;
  /** Slug of the other dataset. */
  lookup: string;
  key: LookUpKey;
}

/**
 * Names the look-ups that match no user of the organization, so that no reader sees rows by them. None are
 * named while the organization has no users.
 */
export async function listUnmatchedLookUps(
  { db, organizationId }: Pick<Context, 'db' | 'organizationId'>,
  { items, sources }: Pick<GivenContent, 'items' | 'sources'>,
  options: SourceOptions,
): Promise<string[]> {
  const datasets = items.filter((item): item is DatasetItem => item.kind === 'dataset');
  const found = datasets.flatMap(listFound);
  if (found.length === 0) return [];
  const texts = await readTexts(db, organizationId);
  if (texts.email.length === 0) return [];
  const hints: string[] = [];
  for (const slug of new Set(found.map(({ lookup }) => lookup))) {
    const files = sources.get(slug)?.files;
    const given = datasets.find((item) => item.slug === slug);
    const dataset =
      given && files
        ? { definition: given.definition, files }
        : await readStored(db, organizationId, slug);
    const ofDataset = found.filter(({ lookup }) => lookup === slug);
    const keys = ofDataset.map(({ key }) => key);
    const matched = dataset && (await findKeysOf(dataset, { keys, texts }, options));
    hints.push(...ofDataset.filter((_, index) => matched?.[index] === false).map(describe));
  }
  return hints;
}

const listFound = (item: DatasetItem): Found[] =>
  item.definition.roles.flatMap(({ name: role, rows }) =>
    listLookUps(rows).map((lookUp) => {
      const through = 'through' in lookUp ? lookUp.through : undefined;
      const fields = through === undefined ? [lookUp.key] : [lookUp.key, through];
      return { item, role, lookup: lookUp.lookup, key: { fields, attribute: lookUp.viewer } };
    }),
  );

async function readStored(db: Database, organizationId: string, slug: string) {
  const stored = await findDefinedDataset(db, organizationId, null, { slug });
  return stored && { definition: stored.source.definition as Dataset, files: stored.source.files };
}

async function readTexts(db: Database, organizationId: string): Promise<ReaderTexts> {
  const listNames = async (table: 'groups' | 'companies') => {
    const rows = await db
      .selectFrom(table)
      .where('organization_id', '=', organizationId)
      .select('name')
      .execute();
    return rows.map(({ name }) => name);
  };
  const users = await db
    .selectFrom('users')
    .where('organization_id', '=', organizationId)
    .select(['email', 'department'])
    .execute();
  return {
    email: users.map(({ email }) => email),
    department: [...new Set(users.map(({ department }) => department))],
    groups: await listNames('groups'),
    companies: await listNames('companies'),
  };
}

const nouns: Record<ViewerAttribute, string> = {
  email: 'e-mail of a user',
  department: 'department of a user',
  groups: 'name of a group',
  companies: 'name of a company',
};

function describe({ item, role, lookup, key }: Found): string {
  const fields = key.fields.map((name) => JSON.stringify(name)).join(' and ');
  return `${getFilePath(item)}: ${role}: the look-up in ${lookup} matches no reader, because ${fields} of ${lookup} has no ${nouns[key.attribute]}; correct the table, or write another key`;
}
