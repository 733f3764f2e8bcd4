import type { z } from 'zod';

import { limitIssues, maxIssues, type Issue } from '../issues/issue.ts';
import { describeUnknown } from '../issues/nearest.ts';
import { datasetSchema, type Dataset } from './dataset.ts';
import { reportSchema, type Report } from './report.ts';

type RawIssue = z.core.$ZodRawIssue;
type ZodIssue = z.core.$ZodIssue;
type Path = Issue['path'];

const nouns: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list of two values',
  object: 'a mapping (key: value)',
};

function describeInput(input: unknown): string {
  if (input === null) return 'empty';
  if (typeof input === 'number') return String(input);
  const kind = Array.isArray(input) ? 'array' : typeof input;
  return nouns[kind] ?? kind;
}

function describeType(wanted: string, input: unknown): string {
  if (input === undefined) return 'is missing';
  const isUnquoted = wanted === 'string' && ['number', 'boolean'].includes(typeof input);
  const advice = isUnquoted ? '; quote it' : '';
  return `must be ${nouns[wanted] ?? wanted}, but is ${describeInput(input)}${advice}`;
}

function describeChoice(values: readonly unknown[], input: unknown): string {
  if (input === undefined) return 'is missing';
  const choices = values.map(String);
  if (typeof input === 'string') return describeUnknown('value', input, choices);
  const last = choices.pop() ?? '';
  const list = choices.length === 0 ? last : `${choices.join(', ')} or ${last}`;
  return `must be ${list}, but is ${describeInput(input)}`;
}

const units: Partial<Record<string, string>> = { string: ' characters', array: ' entries' };

function describeLimit(issue: RawIssue & { code: 'too_small' | 'too_big' }): string {
  const isSmall = issue.code === 'too_small';
  const limit = Number(isSmall ? issue.minimum : issue.maximum);
  const unit = units[issue.origin];
  if (unit === undefined) return `must be ${isSmall ? 'at least' : 'at most'} ${limit}`;
  if (isSmall && limit === 1) return 'is empty';
  return `must have ${isSmall ? 'at least' : 'at most'} ${limit}${unit}`;
}

/** Messages for issues that have none in the schema. */
function describe(issue: RawIssue): string | undefined {
  if (issue.code === 'invalid_type') return describeType(issue.expected, issue.input);
  if (issue.code === 'invalid_value') return describeChoice(issue.values, issue.input);
  if (issue.code === 'too_small' || issue.code === 'too_big') return describeLimit(issue);
  return issue.code === 'invalid_format' && issue.format === 'uuid'
    ? 'must be a UUID; correct it, or remove it'
    : undefined;
}

const get = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;

/** Issues of the union member that the author probably meant; `undefined` if the value fits none. */
function pickMember(members: readonly ZodIssue[][], input: unknown): ZodIssue[] | undefined {
  const isMisfit = (issue: ZodIssue) =>
    issue.path.length === 0 &&
    (issue.code === 'invalid_type' ||
      (issue.code === 'invalid_value' && typeof input !== 'string') ||
      (issue.code === 'invalid_union' && !pickMember(issue.errors, input)));
  const count = (issues: ZodIssue[]) =>
    issues.reduce(
      (sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1),
      0,
    );
  return members
    .filter((issues) => !issues.some(isMisfit))
    .toSorted((one, other) => count(one) - count(other))[0];
}

/** The correct names of misspelled properties, which must not be reported as missing too. */
function listMeant(issue: ZodIssue): string[] {
  if (issue.code !== 'unrecognized_keys') return [];
  const found = issue.message.matchAll(/did you mean "(\w+)"\?$/gm);
  return Array.from(found, ([, property]) => [...issue.path, property].join('.'));
}

/** Yields one issue for each mistake. Of a union, it keeps only the member that the author meant. */
function* flatten(issues: readonly ZodIssue[], value: unknown, base: Path): Generator<Issue> {
  const misspelled = new Set(
    issues.filter(({ code }) => code === 'unrecognized_keys').map(({ path }) => path.join('.')),
  );
  const meant = new Set(issues.flatMap(listMeant));
  for (const issue of issues) {
    const path = [...base, ...issue.path] as Path;
    const input = issue.path.reduce(get, value);
    if (input === undefined && meant.has(issue.path.join('.'))) continue;
    const member = issue.code === 'invalid_union' ? pickMember(issue.errors, input) : undefined;
    if (member) yield* flatten(member, input, path);
    else if (issue.code === 'unrecognized_keys')
      for (const [index, message] of issue.message.split('\n').entries())
        yield { path: [...path, issue.keys[index] ?? ''], isKey: true, message };
    // Rules about several properties would repeat the mistake of a misspelled one.
    else if (issue.code !== 'custom' || !misspelled.has(issue.path.join('.')))
      yield { path, message: issue.message };
  }
}

/** The name of the metric, tile or other part of the file that has the mistake. */
function findSubject(value: unknown, path: Path): string | undefined {
  const [list, index, rows, row, tiles, tile] = path;
  if (typeof index !== 'number') return undefined;
  const item = get(get(value, list ?? ''), index);
  const name = get(item, 'name');
  const part = get(get(get(get(item, rows ?? ''), row ?? ''), tiles ?? ''), tile ?? '');
  const title = get(part, 'title');
  if (typeof title === 'string') return title;
  if (typeof name !== 'string') return undefined;
  const type = get(part, 'type');
  return typeof type === 'string' && typeof tile === 'number' ? `${name}, ${type}` : name;
}

/** Messages that begin with the name of the property: `width must be at most 12`. */
const needsProperty = /^(is|must) /;

function nameProperty(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return 'the file';
  return typeof last === 'number' ? `entry ${last + 1} of ${path.at(-2) ?? 'the file'}` : last;
}

function addSubject(value: unknown, issue: Issue): Issue {
  const { path, message } = issue;
  const subject = findSubject(value, path);
  const text = needsProperty.test(message) ? `${nameProperty(path)} ${message}` : message;
  return { ...issue, message: subject === undefined ? text : `${subject.trim()}: ${text}` };
}

const maxLevels = 60;

/** The path to a value that is nested too deeply for recursion. */
function findTooDeep(value: unknown): Path | undefined {
  const open: { value: unknown; path: Path }[] = [{ value, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.path.length >= maxLevels) return next.path;
    const isList = Array.isArray(next.value);
    for (const [key, child] of Object.entries(next.value))
      open.push({ value: child, path: [...next.path, isList ? Number(key) : key] });
  }
  return undefined;
}

function parseFile<Value>(
  schema: z.ZodType<Value>,
  value: unknown,
): { value?: Value; issues: Issue[] } {
  const path = findTooDeep(value);
  if (path)
    return {
      issues: [
        { path, message: `this is nested more than ${maxLevels} levels deep; use fewer levels` },
      ],
    };
  const result = schema.safeParse(value, { error: describe });
  if (result.success) return { value: result.data, issues: [] };
  const issues: Issue[] = [];
  for (const issue of flatten(result.error.issues, value, [])) {
    issues.push(addSubject(value, issue));
    if (issues.length > maxIssues) break;
  }
  return { issues: limitIssues(issues) };
}

/** Checks the shape of a dataset's file. `resolveDataset` checks its names and types. */
export const parseDatasetFile = (value: unknown): { value?: Dataset; issues: Issue[] } =>
  parseFile(datasetSchema, value);

/** Checks the shape of a report's file. `resolveReport` checks its names. */
export const parseReportFile = (value: unknown): { value?: Report; issues: Issue[] } =>
  parseFile(reportSchema, value);
