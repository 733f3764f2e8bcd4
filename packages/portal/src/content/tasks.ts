import {
  checkSize,
  resolveDataset,
  type Dataset,
  type FieldType,
} from '@portal-embed/report-model';
import { parseDocument } from 'yaml';

import type { FileColumn } from '#report-engine';

import { checkContent, type CheckedContent, type Content } from './check.ts';
import { parseItem, reportAt, type Finding, type Item } from './items.ts';
import type { Mistake } from './mistakes.ts';

/** A content file: its path and its text. */
export interface ContentFile {
  file: string;
  text: string;
}

export interface ParsedFile {
  item?: Item;
  mistakes: Mistake[];
}

/** Parses a file that an author wants to save. An item with mistakes is still good for finding more. */
function parse({ file, text }: ContentFile): ParsedFile {
  const { item: parsed, mistakes } = parseItem(file, text);
  if (!parsed) return { mistakes };
  if (parsed.kind === 'report')
    mistakes.push(...checkSize(parsed.definition).map((issue) => reportAt(parsed, issue)));
  const { source: _, ...item } = parsed;
  return { item, mistakes };
}

export interface CheckRequest extends Omit<Content, 'items'> {
  /** Files whose own mistakes are known. */
  files: readonly ContentFile[];
  /** Files that stay as they are. */
  stored: readonly ContentFile[];
  /** Issues of `files` that need a position. */
  findings: readonly Finding[];
}

function check({ files, stored, findings, ...content }: CheckRequest): CheckedContent {
  const staying = stored.map(({ file, text }) => parseItem(file, text));
  const parsed = new Map(files.map(({ file, text }) => [file, parseItem(file, text).item]));
  const items = [...parsed.values(), ...staying.map(({ item }) => item)];
  const located = findings.flatMap(({ file, issue }) => {
    const item = parsed.get(file);
    return item ? [reportAt(item, issue)] : [];
  });
  const { mistakes, warnings } = checkContent({
    ...content,
    items: items.filter((item) => item !== undefined),
  });
  const own = staying.flatMap((each) => each.mistakes);
  return { mistakes: [...own, ...located, ...mistakes], warnings };
}

/** What a dataset offers to reports. */
export interface DatasetNames {
  fields: { name: string; type: FieldType }[];
  metrics: string[];
  time: string | undefined;
}

function describeDataset(dataset: {
  definition: object;
  columns: readonly FileColumn[];
}): DatasetNames {
  const types = new Map(dataset.columns.map(({ name, type }) => [name, type]));
  const { draft } = resolveDataset(dataset.definition as Dataset, types);
  return {
    fields: [...draft.fields.values()].map(({ name, type }) => ({ name, type })),
    metrics: [...draft.metrics.keys()],
    time: draft.time,
  };
}

export interface ReportNames {
  name: string;
  workspace: string;
  description: string;
}

/** Changes the names in the text of a report. Its comments stay. */
function renameReport({ text, names }: { text: string; names: ReportNames }): string {
  const document = parseDocument(text);
  document.set('name', names.name);
  document.set('workspace', names.workspace);
  if (names.description === '') document.delete('description');
  else document.set('description', names.description);
  return document.toString({ lineWidth: 100 });
}

const tasks = { parse, check, describeDataset, renameReport };

type Tasks = typeof tasks;
export type TaskName = keyof Tasks;
export type TaskInput<Name extends TaskName> = Parameters<Tasks[Name]>[0];
export type TaskOutput<Name extends TaskName> = ReturnType<Tasks[Name]>;

export const runTask = <Name extends TaskName>(
  name: Name,
  input: TaskInput<Name>,
): TaskOutput<Name> => (tasks[name] as (given: TaskInput<Name>) => TaskOutput<Name>)(input);
