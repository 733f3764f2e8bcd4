import type { Catalogue, MessageKey, MessageValues } from './catalogue.ts';

export type MessageFormats = ReturnType<typeof createMessageFormats>;

/**
 * Formats the messages of one catalogue.
 *
 * @param locales BCP 47 tags for the numbers in messages
 */
export function createMessageFormats(
  { language, direction, messages }: Catalogue,
  locales: readonly string[],
) {
  const plurals = new Intl.PluralRules(language);
  const counts = new Intl.NumberFormat([...locales], { maximumFractionDigits: 0 });
  const every = new Intl.ListFormat(language, { type: 'conjunction' });
  const either = new Intl.ListFormat(language, { type: 'disjunction' });
  const isRightToLeft = direction === 'rtl';
  // Isolates keep a name in another direction from reordering the sentence around it.
  const isolate = (text: string) => (isRightToLeft ? `\u2068${text}\u2069` : text);

  /** The parts of a message: texts at even places, values of placeholders at odd ones. */
  function splitMessage<Value>(
    key: MessageKey,
    values: Readonly<Record<string, Value>>,
  ): (string | Value)[] {
    const message = messages[key];
    const sentence =
      typeof message === 'string'
        ? message
        : (message[plurals.select(Number(values['count']))] ?? message.other);
    return sentence
      .split(/\{(\w+)\}/)
      .map((part, index) => (index % 2 === 0 ? part : (values[part] ?? `{${part}}`)));
  }

  return {
    language,
    direction,
    isRightToLeft,
    splitMessage,
    formatMessage: (key: MessageKey, values: MessageValues = {}): string =>
      splitMessage(key, values)
        .map((part, index) => {
          if (typeof part === 'number') return counts.format(part);
          return index % 2 === 0 ? part : isolate(part);
        })
        .join(''),
    /** `A, B, and C`. */
    formatEvery: (texts: readonly string[]) => every.format(texts.map(isolate)),
    /** `A, B, or C`. */
    formatEither: (texts: readonly string[]) => either.format(texts.map(isolate)),
  };
}
