import { z } from 'zod';

/** Maximum sizes: text in characters, e-mails and bodies in bytes, lists in items. */
export const requestLimits = {
  email: 254,
  name: 200,
  filterKey: 200,
  filterValue: 1_000,
  filters: 100,
  /** All custom filters of one request, in UTF-8 bytes of their JSON. */
  filterBytes: 16_384,
  listMembers: 10_000,
  pageSize: 200,
  body: 100_000,
  /** Bodies that contain a list of up to `listMembers` items. */
  listBody: 1_000_000,
  /** Bodies with content files. */
  contentBody: 1_000_000,
  /** Data files. */
  dataFile: 268_435_456,
} as const;

/** Page size of a list request without `pageSize`. */
export const defaultPageSize = 50;

// PostgreSQL cannot store these characters.
const unstorable = /\0|\p{Surrogate}/u;

/** Text of 0 to `max` characters. */
export const storableText = (max: number) =>
  z
    .string()
    .max(max)
    .refine(
      (value) => !unstorable.test(value),
      'must not contain the character U+0000 or half a surrogate pair',
    );

/** Text of 1 to `max` characters. */
export const nonEmptyText = (max: number) => storableText(max).min(1);

/** Counts the bytes of a text in UTF-8. */
export function countUtf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    bytes += 1 + Number(point > 0x7f) + Number(point > 0x7ff) + Number(point > 0xffff);
  }
  return bytes;
}

/** A UUID of any version, because reporting platforms issue their own. Parsing converts it to lower case. */
export const idSchema = z.guid('must be a UUID').toLowerCase();

/** A whole number, given as a number or as the digits of a query string. */
export const integerParameter = (min: number, max: number) =>
  z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,10}$/, 'must be a whole number')
          .transform(Number),
      ],
      {
        error: 'must be a whole number',
      },
    )
    .pipe(z.int().min(min).max(max))
    // The API's documentation shows one integer instead of the two forms.
    .meta({ type: 'integer', minimum: min, maximum: max });

/** True or false, given as such or as the text of a query string. */
export const booleanParameter = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], {
    error: 'must be true or false',
  })
  // The API's documentation shows one form instead of the two.
  .meta({ type: 'boolean' });

/** A search text of at most `max` characters. Empty text means no filter. */
export const textFilter = (max: number, checked = storableText(max)) =>
  checked.transform((value) => (value === '' ? undefined : value)).optional();

const offset = { offset: true };

/** An ISO 8601 date and time with a time zone, or a date, which means midnight UTC. */
export const timestampSchema = z
  .union([z.iso.datetime(offset), z.iso.datetime({ ...offset, precision: -1 }), z.iso.date()], {
    error: 'must be an ISO 8601 date, or a date and time with a time zone',
  })
  .transform((moment) => new Date(moment).toISOString())
  // The API's documentation shows two forms instead of these three.
  .meta({
    anyOf: [
      { type: 'string', format: 'date-time' },
      { type: 'string', format: 'date' },
    ],
  });
