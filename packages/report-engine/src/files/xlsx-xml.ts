import { SaxesParser } from 'saxes';

import { Problem } from './csv-names.ts';

/** What a reader of a part does with its elements. Names are without a namespace prefix. */
export interface XmlHandlers {
  open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

/** Limits that no workbook reaches: levels of elements, and characters of one text or tag. */
const maxLevels = 100;
const maxToken = 2 ** 20;

const damaged = 'the workbook is damaged; save it again, or save its sheet as CSV';

/**
 * Reads a part of a workbook. Document types are refused, so that no entity can be defined.
 *
 * @param isDone whether the rest need not be read
 * @throws `Problem` if it is not XML
 */
export async function readXml(
  part: AsyncIterable<Buffer>,
  { open, text, close }: XmlHandlers,
  isDone: () => boolean = () => false,
): Promise<void> {
  const parser = new SaxesParser();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let levels = 0;
  let pending = 0;
  parser.on('error', () => fail());
  parser.on('doctype', () => fail());
  parser.on('opentag', ({ name, attributes }) => {
    pending = 0;
    if ((levels += 1) > maxLevels) fail();
    open(removePrefix(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    pending = 0;
    levels -= 1;
    close?.(removePrefix(name));
  });
  if (text) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  for await (const chunk of part) {
    const characters = decode(decoder, chunk);
    pending += characters.length;
    parser.write(characters);
    if (pending > maxToken) fail();
    if (isDone()) return;
  }
  parser.close();
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    return fail();
  }
}

function fail(): never {
  throw new Problem(damaged);
}

/** Some programs write `x:row` instead of `row`. */
const removePrefix = (name: string) => name.slice(name.indexOf(':') + 1);

/** The attribute of this name in any namespace, such as `r:id`. */
export const findPrefixed = (
  attributes: Readonly<Record<string, string>>,
  name: string,
): string | undefined => Object.entries(attributes).find(([key]) => key.endsWith(`:${name}`))?.[1];
