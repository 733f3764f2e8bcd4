import fs from 'node:fs';

import type { Message } from 'page-kit/messages/catalogue';

const folder = new URL('../../../admin/src/messages/', import.meta.url);

/** Finds texts of the administration pages in a language. */
export type AdminTexts = (
  key: string,
  values?: Readonly<Record<string, string | number>>,
) => string;

export function readAdminTexts(language: 'en' | 'pt'): AdminTexts {
  const files = fs
    .readdirSync(new URL(`${language}/`, folder))
    .filter((name) => name.endsWith('.json'));
  const messages = Object.assign(
    {},
    ...files.map((name) =>
      JSON.parse(fs.readFileSync(new URL(`${language}/${name}`, folder), 'utf8')),
    ),
  ) as Record<string, Message>;
  return (key, values = {}) => {
    const message = messages[key];
    if (typeof message !== 'string') throw new Error(`There is no single text ${key}.`);
    return message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  };
}
