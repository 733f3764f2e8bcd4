import fs from 'node:fs';
import path from 'node:path';

import { parseSync, type ESTree } from 'vite';

/** A node of a syntax tree, with the nodes around it, the nearest first. */
export interface Found {
  file: string;
  node: ESTree.Node;
  around: ESTree.Node[];
}

const packages = path.join(import.meta.dirname, '../../..');

/** The nodes of all sources below a folder of `packages`, without tests. */
export function readSources(folder: string): Found[] {
  return fs
    .readdirSync(path.join(packages, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test|\.config|\.d)\.tsx?$/.test(name) && !/(^|\/)test[/-]/.test(name))
    .flatMap((name) => {
      const file = path.join(folder, name);
      return readNodes(file, fs.readFileSync(path.join(packages, file), 'utf8'));
    });
}

/** The nodes of one source. */
export function readNodes(file: string, source: string): Found[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]!.message}`);
  return list(file, program, []);
}

function list(file: string, node: ESTree.Node, around: ESTree.Node[]): Found[] {
  const children = Object.values(node).flat().filter(isNode);
  return [
    { file, node, around },
    ...children.flatMap((child) => list(file, child, [node, ...around])),
  ];
}

const isNode = (value: unknown): value is ESTree.Node =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { type?: unknown }).type === 'string';
