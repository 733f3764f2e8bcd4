import fs from 'node:fs';
import path from 'node:path';

import type { Request } from 'express';

/** The texts of the pages in one language: a file of `packages/page-kit/src/messages`. */
export interface Language {
  /** BCP 47 tag. */
  language: string;
  direction: string;
  messages: Readonly<Record<string, unknown>>;
  /** Address of the script with these texts, for preloading. */
  script: string | undefined;
}

export type Languages = ReadonlyMap<string, Language>;

/**
 * Reads the catalogues of a folder.
 *
 * @param fileOf the built script of a language
 * @throws if there is no English, which every other language falls back to
 */
export function readLanguages(
  folder: string,
  fileOf: (language: string) => string | undefined = () => undefined,
): Languages {
  const languages = new Map<string, Language>();
  for (const name of fs.readdirSync(folder)) {
    if (path.extname(name) !== '.json') continue;
    const catalogue = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as Language;
    const file = fileOf(catalogue.language);
    languages.set(catalogue.language, { ...catalogue, script: file && `/${file}` });
  }
  if (!languages.has('en'))
    throw new Error(`${folder} has no English texts: run \`npm run build\`.`);
  return languages;
}

/**
 * The first language of `Accept-Language` that has texts, with or without its region; then that of the
 * organization; then English.
 */
export function chooseLanguage(
  languages: Languages,
  req: Request,
  organizationLanguage: string | null,
): Language {
  for (const tag of [...req.acceptsLanguages(), organizationLanguage ?? 'en']) {
    const found = languages.get(tag) ?? languages.get(tag.split('-')[0]!.toLowerCase());
    if (found) return found;
  }
  return languages.get('en')!;
}

/** @throws for a message with plural forms, which need a number */
export function findMessage({ language, messages }: Language, key: string): string {
  const message = messages[key];
  if (typeof message === 'string') return message;
  throw new Error(`The catalogue "${language}" has no plain message "${key}".`);
}
