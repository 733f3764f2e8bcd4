export const isText = (value: unknown): value is string => typeof value === 'string';

/** A UUID of any version, in either letter case. */
export const isUuid = (value: unknown): boolean =>
  isText(value) && /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(value);

export const isListOf =
  (isMember: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isMember);

const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?<fraction>\.\d+)?)?(?:Z|[+-]00:?00)$/;

/** An ISO 8601 date and time in UTC, written with `Z` or an offset of zero. */
export const isUtcTimestamp = (value: unknown): boolean =>
  isText(value) && timestamp.test(value) && !Number.isNaN(Date.parse(value));

export const hasFraction = (value: unknown): boolean =>
  isText(value) && timestamp.exec(value)?.groups?.['fraction'] !== undefined;

export const isAddress = (value: unknown): boolean =>
  isText(value) && /^https?:\/\//i.test(value) && URL.canParse(value);
