import type en from './en.json';

/** The texts of the pages in one language. The viewer's are the files of this folder. */
export interface Catalogue<Key extends string = MessageKey> {
  /** BCP 47 tag. */
  language: string;
  direction: string;
  messages: Record<Key, Message>;
}

/** English has every message. A test compares the other languages with it. */
export type MessageKey = keyof (typeof en)['messages'];

/** A whole sentence with `{placeholders}`, or one for each plural form of the value `count`. */
export type Message = string | PluralForms;

type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Values of placeholders. A number is shown as a count. */
export type MessageValues = Readonly<Record<string, string | number>>;
