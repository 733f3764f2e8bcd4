/** `2026-12-31T23:59` in a time zone, as input elements have it. */
export function toLocalTime(date: Date, timeZone: string): string {
  // Swedish writes dates like ISO 8601.
  const format = new Intl.DateTimeFormat('sv', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return format.format(date).replace(' ', 'T');
}

/** The moment of a local time. A time that a change of clocks skips becomes one hour later. */
export function fromLocalTime(local: string, timeZone: string): Date {
  const asUtc = Date.parse(`${local}Z`);
  const offsetAt = (time: number) => Date.parse(`${toLocalTime(new Date(time), timeZone)}Z`) - time;
  // The offset of the first guess may be that before or after a change of clocks.
  const guess = asUtc - offsetAt(asUtc);
  return new Date(asUtc - offsetAt(guess));
}
