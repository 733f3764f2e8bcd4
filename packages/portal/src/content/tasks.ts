import {
  checkSize,
  resolveDataset,
  type Dataset,
  type FieldType,
} from '@portal-embed/report-model';
import { isMap, isScalar, parseDocument, type Document } from 'yaml';

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

/** What changes in the text of a dataset or report. */
export interface NameEdit {
  name?: string | undefined;
  workspace?: string | undefined;
  /** Empty: it is removed. */
  description?: string | undefined;
  /** Whether the text becomes another item, which cannot have the same id. */
  isCopy?: boolean | undefined;
}

/** Changes the names in the text of an item. Its comments stay. */
function editNames({ text, edit }: { text: string; edit: NameEdit }): string {
  const document = parseDocument(text);
  const { name, workspace, description } = edit;
  for (const [key, value] of Object.entries({ name, workspace, description }))
    if (value === '') document.delete(key);
    else if (value !== undefined) document.set(key, value);
  if (edit.isCopy) document.delete('id');
  return document.toString({ lineWidth: 100 });
}

export interface SourceEdit {
  /** A pattern that takes the place of the dataset's file. */
  files?: string | undefined;
  /** Options that are written. */
  options?: Readonly<Record<string, unknown>> | undefined;
  /** Where they are written. Default: `csv`. */
  kind?: 'csv' | 'xlsx' | undefined;
  /** What is written on fields, by column. */
  fields?: Readonly<Record<string, object>> | undefined;
}

/** Changes how a dataset reads its files. Comments in its text stay. */
function editSource({ text, edit }: { text: string; edit: SourceEdit }): string {
  const document = parseDocument(text);
  const source = document.get('source');
  if (edit.files !== undefined && isMap(source)) {
    const pair = source.items.find(({ key }) => isScalar(key) && key.value === 'file');
    if (pair && isScalar(pair.key)) pair.key.value = 'files';
    document.setIn(['source', 'files'], edit.files);
  }
  for (const [option, value] of Object.entries(edit.options ?? {}))
    document.setIn(['source', edit.kind ?? 'csv', option], value);
  for (const [name, properties] of Object.entries(edit.fields ?? {}))
    editField(document, name, properties);
  return document.toString({ lineWidth: 100 });
}

function editField(document: Document, name: string, properties: object): void {
  const fields = document.toJS() as { fields?: { name?: unknown }[] };
  const index = fields.fields?.findIndex((field) => field.name === name) ?? -1;
  if (index === -1) document.addIn(['fields'], document.createNode({ name, ...properties }));
  else
    for (const [property, value] of Object.entries(properties))
      document.setIn(['fields', index, property], value);
}

const tasks = { parse, check, describeDataset, editNames, editSource };

type Tasks = typeof tasks;
export type TaskName = keyof Tasks;
export type TaskInput<Name extends TaskName> = Parameters<Tasks[Name]>[0];
export type TaskOutput<Name extends TaskName> = ReturnType<Tasks[Name]>;

export const runTask = <Name extends TaskName>(
  name: Name,
  input: TaskInput<Name>,
): TaskOutput<Name> => (tasks[name] as (given: TaskInput<Name>) => TaskOutput<Name>)(input);
