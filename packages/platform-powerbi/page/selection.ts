import type { Selection } from 'platform/page';

/** The part of `dataSelected` that is read here. Source: Microsoft's guide to events of reports. */
interface DataSelected {
  visual?: { name?: string };
  dataPoints?: {
    identity?: { target?: { table?: string; column?: string }; equals?: unknown }[];
  }[];
}

/** Remembers which columns are selected in each visual, since an ended selection names none. */
export class Selections {
  readonly #fields = new Map<string, readonly string[]>();

  /** The columns whose selected values an event has changed. A column that is not selected any more has none. */
  read(detail: unknown): Selection[] {
    const { visual, dataPoints = [] } = (detail ?? {}) as DataSelected;
    const selected = new Map<string, Set<Selection['values'][number]>>();
    for (const { target, equals } of dataPoints.flatMap(({ identity = [] }) => identity)) {
      if (target?.table === undefined || target.column === undefined || !isKey(equals)) continue;
      const field = `${target.table}/${target.column}`;
      selected.set(field, (selected.get(field) ?? new Set()).add(equals));
    }
    const name = visual?.name ?? '';
    const ended = this.#fields.get(name)?.filter((field) => !selected.has(field)) ?? [];
    this.#fields.set(name, [...selected.keys()]);
    return [
      ...ended.map((field) => ({ field, values: [] })),
      ...[...selected].map(([field, values]) => ({ field, values: [...values] })),
    ];
  }
}

const isKey = (value: unknown): value is Selection['values'][number] =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);
