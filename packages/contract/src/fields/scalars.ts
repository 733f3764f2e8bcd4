import { z } from 'zod';

/** Upper limits: of text in characters, of e-mails and bodies in bytes. */
export const requestLimits = {
  email: 254,
  name: 200,
  filterKey: 200,
  filterValue: 1_000,
  filters: 100,
  /** All custom filters of one URL or request, as UTF-8 bytes of their JSON. */
  filterBytes: 16_384,
  listMembers: 10_000,
  pageSize: 200,
  body: 100_000,
  /** Bodies of the endpoints that take a list of up to `listMembers`. */
  listBody: 1_000_000,
} as const;

/** Page size of every list when the request names none. */
export const defaultPageSize = 50;

// PostgreSQL cannot store these, so they are bad input rather than a failure of the database.
const unstorable = /\0|\p{Surrogate}/u;

/** Text of at most `max` characters; it may be empty. */
export const storableText = (max: number) =>
  z
    .string()
    .max(max)
    .refine(
      (value) => !unstorable.test(value),
      'must not contain the character U+0000 or half a surrogate pair',
    );

/** Non-empty text of at most `max` characters. */
export const nonEmptyText = (max: number) => storableText(max).min(1);

/** A UUID of any version, in lower case; the reporting platforms behind a portal issue their own. */
export const idSchema = z.guid('must be a UUID').toLowerCase();

/** A page index or size, as a number or as the digits a query string carries. */
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
    // What the API's documentation says in place of the two forms.
    .meta({ type: 'integer', minimum: min, maximum: max });

/** Text of at most `max` characters to look for; an empty one means that there is no such filter. */
export const textFilter = (max: number, checked = storableText(max)) =>
  checked.transform((value) => (value === '' ? undefined : value)).optional();

const offset = { offset: true };

/** An ISO 8601 timestamp: date and time with a time zone, or a date, which is midnight UTC. */
export const timestampSchema = z
  .union([z.iso.datetime(offset), z.iso.datetime({ ...offset, precision: -1 }), z.iso.date()], {
    error: 'must be an ISO 8601 date, or a date and time with a time zone',
  })
  .transform((moment) => new Date(moment).toISOString())
  // The API's documentation shows two forms in place of these three.
  .meta({
    anyOf: [
      { type: 'string', format: 'date-time' },
      { type: 'string', format: 'date' },
    ],
  });
