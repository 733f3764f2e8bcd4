import { once } from '../once.ts';
import type { Catalogue, MessageKey, MessageValues } from './catalogue.ts';

export type MessageFormats<Key extends string = MessageKey> = ReturnType<
  typeof createMessageFormats<Key>
>;

/** Letters that are written from right to left, and characters that change the direction. */
const hasDirection = /[\u0590-\u08ff\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]/;

/**
 * Formats the messages of one catalogue.
 *
 * @param locales BCP 47 tags for the numbers in messages
 */
export function createMessageFormats<Key extends string>(
  { language, direction, messages }: Catalogue<Key>,
  locales: readonly string[],
) {
  const plurals = once(() => new Intl.PluralRules(language));
  const counts = once(() => new Intl.NumberFormat([...locales], { maximumFractionDigits: 0 }));
  const every = once(() => new Intl.ListFormat(language, { type: 'conjunction' }));
  const either = once(() => new Intl.ListFormat(language, { type: 'disjunction' }));
  const isRightToLeft = direction === 'rtl';
  // Isolates keep a name in another direction from reordering the sentence around it.
  const isolate = (text: string) =>
    isRightToLeft || hasDirection.test(text) ? `\u2068${text}\u2069` : text;

  /** The parts of a message: texts at even places, values of placeholders at odd ones. */
  function splitMessage<Value>(
    key: Key,
    values: Readonly<Record<string, Value>>,
  ): (string | Value)[] {
    const message = messages[key];
    const sentence =
      typeof message === 'string'
        ? message
        : (message[plurals().select(Number(values['count']))] ?? message.other);
    return sentence
      .split(/\{(\w+)\}/)
      .map((part, index) => (index % 2 === 0 ? part : (values[part] ?? `{${part}}`)));
  }

  return {
    language,
    direction,
    isRightToLeft,
    splitMessage,
    isolate,
    formatMessage: (key: Key, values: MessageValues = {}): string =>
      splitMessage(key, values)
        .map((part, index) => {
          if (typeof part === 'number') return counts().format(part);
          return index % 2 === 0 ? part : isolate(part);
        })
        .join(''),
    /** `A, B, and C`. */
    formatEvery: (texts: readonly string[]) => every().format(texts.map(isolate)),
    /** `A, B, or C`. */
    formatEither: (texts: readonly string[]) => either().format(texts.map(isolate)),
  };
}
