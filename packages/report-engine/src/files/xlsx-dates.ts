/** The last day of Excel, December 31, 9999. */
const lastSerial = 2_958_465;

const dayMs = 86_400_000;

/** The first days of both calendars. That of 1900 has a February 29, which is the day 60. */
const starts = { 1900: Date.UTC(1899, 11, 31), 1904: Date.UTC(1904, 0, 1) };

/**
 * The day and the time of a serial number, as ISO 8601 without a time zone; `undefined` if it is none.
 *
 * @param serial days since the start of the calendar, rounded to milliseconds
 */
export function readSerial(
  serial: number,
  is1904: boolean,
): { day: string; time: string; isMidnight: boolean } | undefined {
  const total = Math.round(serial * dayMs);
  const days = Math.floor(total / dayMs);
  if (is1904 ? days < 0 || days > lastSerial - 1_462 : days < 1 || days === 60) return undefined;
  if (days > lastSerial) return undefined;
  const start = is1904 ? starts[1904] : starts[1900] - (days > 60 ? dayMs : 0);
  const [day = '', time = ''] = new Date(start + total).toISOString().slice(0, -1).split('T');
  return { day, time: time.replace('.000', ''), isMidnight: total % dayMs === 0 };
}

/** A time of day or a duration such as `26:30:00`. */
export function readDuration(serial: number): string {
  const total = Math.round(Math.abs(serial) * dayMs);
  const part = (size: number, count: number) =>
    String(Math.floor(total / size) % count).padStart(2, '0');
  const ms = total % 1_000;
  const fraction = ms === 0 ? '' : `.${String(ms).padStart(3, '0')}`;
  const sign = serial < 0 && total > 0 ? '-' : '';
  return `${sign}${part(3_600_000, Infinity)}:${part(60_000, 60)}:${part(1_000, 60)}${fraction}`;
}
