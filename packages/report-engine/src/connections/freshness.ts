const seconds = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;

/** Reads how old an answer may be, such as `5 minutes`, in milliseconds. */
export function parseFreshness(text: string): number {
  const [count, unit = ''] = text.replace(/s$/, '').split(' ');
  return Number(count) * 1_000 * seconds[unit as keyof typeof seconds];
}
