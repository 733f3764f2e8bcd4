import {
  parseDatasetFile,
  parseReportFile,
  type Dataset,
  type Issue,
  type Report,
} from '@portal-embed/report-model';

import type { Mistake } from './mistakes.ts';
import { locate, type Source } from './positions.ts';
import { parseYaml } from './yaml.ts';

export type ItemKind = 'dataset' | 'report';

interface ItemFields {
  slug: string;
  text: string;
}

export type DatasetItem = ItemFields & { kind: 'dataset'; definition: Dataset };
export type ReportItem = ItemFields & { kind: 'report'; definition: Report };

/** A content file with a valid structure. The names in it are not checked yet. */
export type Item = DatasetItem | ReportItem;

/** An item with its syntax tree, which gives positions. It stays in the process that parsed it. */
export type ParsedItem = Item & { source: Source };

/** An issue of an item, whose position is not known yet. */
export interface Finding {
  file: string;
  issue: Issue;
}

export const getFilePath = ({ kind, slug }: Pick<Item, 'kind' | 'slug'>): string =>
  `${kind}s/${slug}.yaml`;

const filePattern = /^(dataset|report)s\/([a-z0-9]+(?:-[a-z0-9]+)*)\.yaml$/;

/** Maximum length of a slug. */
const maxSlug = 100;

/** Adds file, line and column to an issue of an item. */
export const reportAt = (item: ParsedItem, issue: Issue): Mistake =>
  locateIn(getFilePath(item), item.source, issue);

export const findIn = (item: Item, issue: Issue): Finding => ({ file: getFilePath(item), issue });

/** A mistake in a dataset's data files. */
export const findInSource = (item: DatasetItem, message: string): Finding =>
  findIn(item, {
    path: ['source', 'file' in item.definition.source ? 'file' : 'files'],
    message,
  });

function locateIn(file: string, source: Source, issue: Issue): Mistake {
  const { line, column } = locate(source, issue);
  return { file, line, column, message: issue.message };
}

/** Reads one content file. An item with mistakes is still good for finding more of them. */
export function parseItem(file: string, text: string): { item?: ParsedItem; mistakes: Mistake[] } {
  const report = (message: string) => ({ mistakes: [{ file, line: 1, column: 1, message }] });
  const [, kind, slug] = filePattern.exec(file) ?? [];
  if (kind === undefined || slug === undefined || slug.length > maxSlug)
    return report(
      'this is not the path of a content file; rename it to datasets/NAME.yaml or reports/NAME.yaml, with lower-case letters, digits and single hyphens in NAME',
    );
  const { problems, content } = parseYaml(text);
  const mistakes = problems.map(({ line, column, message }) => ({ file, line, column, message }));
  if (!content) return { mistakes };
  const { source, value } = content;
  const { value: definition, issues } = (kind === 'dataset' ? parseDatasetFile : parseReportFile)(
    value,
  );
  mistakes.push(...issues.map((issue) => locateIn(file, source, issue)));
  if (!definition) return { mistakes };
  return { item: { kind, slug, text, source, definition } as ParsedItem, mistakes };
}
