/** Whether a name is an IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    // Intl also accepts an offset such as "+01:00", which has no daylight saving time.
    return (
      new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '' && /^[A-Z]/.test(name)
    );
  } catch {
    return false;
  }
}
