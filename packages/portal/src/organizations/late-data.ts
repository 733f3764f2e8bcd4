/** A moment at which a dataset got new data. */
export interface DataUpdate {
  datasetId: string;
  at: Date;
}

/** A dataset whose new data is overdue. */
export interface LateData {
  datasetId: string;
  updatedAt: Date;
  /** Median time between updates, in milliseconds. */
  usualMs: number;
}

/** Updates closer than this are one: files that belong together arrive one by one. */
const sameMs = 3_600_000;

/** Latest pauses between updates that count. */
const maxPauses = 10;

/** Fewer pauses are no habit. */
const minPauses = 3;

/** The longest pause is usually a weekend, so only a much longer one is late. */
const tolerance = 1.5;

/** Finds datasets that have waited half as long again as in their longest pause, the latest first. */
export function findLateData(updates: readonly DataUpdate[], now: Date): LateData[] {
  const ofDataset = new Map<string, number[]>();
  for (const { datasetId, at } of updates)
    ofDataset.set(datasetId, [...(ofDataset.get(datasetId) ?? []), at.getTime()]);
  const late = [...ofDataset].flatMap(([datasetId, own]): LateData[] => {
    const times = mergeClose(own.toSorted((a, b) => a - b));
    const pauses = times
      .slice(1)
      .map((time, index) => time - times[index]!)
      .slice(-maxPauses);
    const last = times.at(-1)!;
    if (pauses.length < minPauses || now.getTime() - last <= tolerance * Math.max(...pauses))
      return [];
    const usualMs = pauses.toSorted((a, b) => a - b)[Math.floor(pauses.length / 2)]!;
    return [{ datasetId, updatedAt: new Date(last), usualMs }];
  });
  return late.toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
}

const mergeClose = (times: readonly number[]): number[] =>
  times.filter((time, index) => index === 0 || time - times[index - 1]! > sameMs);
