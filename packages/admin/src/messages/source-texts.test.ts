import english from 'page-kit/messages/en.json';
import { describe, expect, it } from 'vitest';

import { readNodes, readSources, type Found } from '../test/read-source.ts';
import { english as adminMessages } from './en/index.ts';

const allSources = ['page-kit/src', 'viewer/src', 'admin/src'].flatMap(readSources);
const sources = allSources.filter(({ file }) => !file.includes('/src/requests/'));

/** Of both apps; no two of them share a key. */
const messages = { ...english.messages, ...adminMessages };

/** Attributes whose values readers see or hear. */
const readAttributes = new Set([
  'aria-label',
  'aria-description',
  'alt',
  'label',
  'placeholder',
  'title',
]);

/** Two words, or one that begins a sentence. */
const language = /\p{L}{2,},? \p{L}{2,}|^\p{Lu}\p{Ll}+[.:…]?$/u;

/** Names of formats, keys and elements, and words of expressions, not texts. */
const names = new Set([
  'month of year',
  'day of week',
  'hour of day',
  ' by month',
  'Delete',
  'Enter',
  'Escape',
  'this month',
  'this quarter',
  'this year',
  'previous month',
  'previous quarter',
  'previous year',
  'th, td',
  'not in',
  'is null',
  'is not null',
  '(case when ',
]);

/** Texts of a source that are not in the catalogue. */
function findTexts(nodes: readonly Found[]): string[] {
  return nodes.flatMap(({ file, node, around }) => {
    const text = readText(node);
    return text !== undefined && isForReaders(text, node, around) ? [`${file}: ${text}`] : [];
  });
}

function readText(node: Found['node']): string | undefined {
  if (node.type === 'JSXText') return node.value.trim();
  if (node.type === 'TemplateElement') return node.value.raw;
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function isForReaders(text: string, node: Found['node'], around: Found['around']): boolean {
  const [parent] = around;
  if (node.type === 'JSXText') return /\p{L}/u.test(text);
  if (parent?.type === 'JSXAttribute' && parent.name.type === 'JSXIdentifier')
    return readAttributes.has(parent.name.name) && /\p{L}/u.test(text);
  const isCode =
    parent?.type === 'ImportDeclaration' ||
    parent?.type === 'ExportNamedDeclaration' ||
    (parent?.type === 'Property' && parent.key === node) ||
    around.some(
      ({ type }) =>
        type === 'TSLiteralType' || type === 'TSTemplateLiteralType' || type === 'NewExpression',
    ) ||
    around.some(
      (outer) =>
        (outer.type === 'CallExpression' && outer.callee.type === 'Super') ||
        (outer.type === 'JSXAttribute' && outer.name.name === 'className'),
    );
  const isStyle = /^[.#]\w|^color-mix\(/.test(text);
  return !isCode && !isStyle && !names.has(text) && language.test(text);
}

it('no source of a page has a text that is not in the catalogue', () => {
  expect(findTexts(sources)).toEqual([]);
});

it.each([
  ['<p>Updated</p>', 'Updated'],
  ['<p>{isOpen ? "Total" : null}</p>', 'Total'],
  ['<button aria-label="close" />', 'close'],
  ['const note = `${count} rows are shown.`;', ' rows are shown.'],
])('a text in a source is found: %s', (source, text) => {
  expect(findTexts(readNodes('sample.tsx', source))).toEqual([`sample.tsx: ${text}`]);
});

describe('messages', () => {
  const placeholdersOf = (key: string) => {
    const message = messages[key as keyof typeof messages];
    const texts = typeof message === 'string' ? [message] : Object.values(message);
    const found = texts.flatMap((text) =>
      [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!),
    );
    return [...new Set(found)].toSorted();
  };
  const calls = sources.flatMap(({ file, node }) => {
    if (node.type !== 'CallExpression') return [];
    const { callee, arguments: given } = node;
    const [key, values] = given;
    const name = callee.type === 'MemberExpression' ? callee.property : callee;
    const isCall = name.type === 'Identifier' && name.name === 'formatMessage';
    if (!isCall || key?.type !== 'Literal') return [];
    const properties = values?.type === 'ObjectExpression' ? values.properties : [];
    const isOpen = (values && values.type !== 'ObjectExpression') || properties.some(isSpread);
    return isOpen ? [] : [{ file, key: String(key.value), names: properties.map(nameOf) }];
  });

  it('get a value for each of their placeholders', () => {
    expect(calls.length).toBeGreaterThan(50);
    for (const { file, key, names: given } of calls)
      expect(`${file} ${key}: ${given.toSorted().join(' ')}`).toBe(
        `${file} ${key}: ${placeholdersOf(key).join(' ')}`,
      );
  });

  it('are all used', () => {
    const used = [...allSources, ...readSources('portal/src/pages')].flatMap(({ node }) => {
      if (node.type === 'Literal' && typeof node.value === 'string') return [node.value];
      if (node.type !== 'TemplateLiteral' || node.quasis[0]?.value.raw === '') return [];
      return [node.quasis.map(({ value }) => value.raw).join('*')];
    });
    const exact = new Set(used);
    const patterns = used
      .filter((text) => /^[a-z_]+\.[\w. *]*\*/.test(text))
      .map((text) => new RegExp(`^${text.replaceAll('.', '\\.').replaceAll('*', '.+')}$`));
    const isUsed = (key: string) => exact.has(key) || patterns.some((pattern) => pattern.test(key));
    expect(Object.keys(messages).filter((key) => !isUsed(key))).toEqual([]);
  });
});

const isSpread = ({ type }: { type: string }) => type === 'SpreadElement';

function nameOf(property: Found['node']): string {
  if (property.type !== 'Property') return '';
  return property.key.type === 'Identifier' ? property.key.name : '';
}
