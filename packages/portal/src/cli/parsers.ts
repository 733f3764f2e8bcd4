import { InvalidArgumentError } from '@commander-js/extra-typings';
import { timestampSchema } from '@portal-embed/contract';

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const durationPattern = /^(\d{1,6})([mhd])$/;

const parseMoment = (sign: 1 | -1, example: string) => (text: string) => {
  const duration = durationPattern.exec(text);
  if (duration) {
    const unit = units[duration[2] as keyof typeof units];
    return new Date(Date.now() + sign * Number(duration[1]) * unit);
  }
  const moment = timestampSchema.safeParse(text);
  if (moment.success) return new Date(moment.data);
  throw new InvalidArgumentError(
    `Write a time like ${example}, 2027-01-31 or 2027-01-31T09:00:00Z.`,
  );
};

/** Help text about the `<moment>` of an option. */
export const momentHelp = `
A <moment> is a date (2027-01-31, at midnight UTC), a time (2027-01-31T09:00:00Z) or a duration
(30m, 24h, 400d). A duration counts forward from now for --expires and --old-works-until, and
backward for --before, --from and --to.`;

/** Parses a time in the future: `24h` is in 24 hours. */
export const parseFuture = parseMoment(1, '24h (from now)');

/** Parses a time in the past: `400d` is 400 days ago. */
export const parsePast = parseMoment(-1, '400d (ago)');

/** Parses a time in the past, and refuses the future: pruning before it would remove everything. */
export function parseElapsed(text: string): Date {
  const moment = parsePast(text);
  if (moment.getTime() <= Date.now()) return moment;
  throw new InvalidArgumentError('Write a time in the past, like 400d (ago).');
}

export function parseWhole(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Write a whole number of at least 1.');
}
