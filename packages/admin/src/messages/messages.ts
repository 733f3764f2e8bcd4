import type { Message } from 'page-kit/messages/catalogue';
import {
  createMessageFormats,
  type MessageFormats,
} from 'page-kit/messages/create-message-formats';
import { createContext, use } from 'react';

import { english } from './en/index.ts';

export type AdminMessageKey = keyof typeof english;

export const isMessageKey = (key: string): key is AdminMessageKey => key in english;

/** Names of the operations that have words. */
export const operations: readonly string[] = Object.keys(english).flatMap(
  (key) => /^operation\.(.+)/.exec(key)?.[1] ?? [],
);

type Messages = Record<AdminMessageKey, Message>;

/** The texts of the pages and formats of times and numbers, in the language of the browser. */
export interface Formats extends MessageFormats<AdminMessageKey> {
  /** IANA name of the zone in which times and dates are shown. */
  timeZone: string;
  formatTime: (iso: string) => string;
  formatDate: (iso: string) => string;
  /** Formats `2026-01-31` or `2026-01-31T08:00`, which have no time zone. */
  formatDay: (day: string) => string;
  formatNumber: (value: number) => string;
  /** Formats the text of a number, such as `-1234.50`, with all its digits. */
  formatDecimal: (text: string) => string;
}

const portuguese = () => import('./pt/index.ts').then((module) => module.portuguese);

/** Settings of an organization for browsers that do not decide. */
interface FormatDefaults {
  /** Tag of the texts, for browsers whose languages have none. */
  language: string | null;
  /** Default: that of the browser. */
  timeZone: string | undefined;
}

/** Loads the texts of the first language of the browser that has them; else the default; else English. */
export async function loadFormats(
  languages: readonly string[],
  defaults?: FormatDefaults,
): Promise<Formats> {
  const first = [...languages, defaults?.language ?? 'en']
    .map((tag) => tag.split('-')[0]!.toLowerCase())
    .find((language) => language === 'en' || language === 'pt');
  const language = first ?? 'en';
  const messages: Messages = language === 'pt' ? await portuguese() : english;
  const locales = languages.filter((tag) => tag.toLowerCase().startsWith(language));
  const timeZone = defaults?.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const formatOf = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locales.length === 0 ? language : locales, {
      dateStyle: 'medium',
      timeZone,
      ...options,
    });
  const times = formatOf({ timeStyle: 'short' });
  const dates = formatOf({});
  const days = formatOf({ timeZone: 'UTC' });
  const numbers = new Intl.NumberFormat(locales.length === 0 ? language : locales);
  const decimals = new Intl.NumberFormat(locales.length === 0 ? language : locales, {
    maximumFractionDigits: 20,
  });
  return {
    ...createMessageFormats({ language, direction: 'ltr', messages }, locales),
    timeZone,
    formatTime: (iso) => times.format(new Date(iso)),
    formatDate: (iso) => dates.format(new Date(iso)),
    formatDay: (day) => days.format(new Date(`${day.slice(0, 10)}T00:00:00Z`)),
    formatNumber: (value) => numbers.format(value),
    // A number would lose digits of long texts.
    formatDecimal: (text) => decimals.format(text as Intl.StringNumericLiteral),
  };
}

export const FormatsContext = createContext<Formats | undefined>(undefined);

export function useFormats(): Formats {
  const formats = use(FormatsContext);
  if (!formats) throw new Error('There is no FormatsContext around this component.');
  return formats;
}
