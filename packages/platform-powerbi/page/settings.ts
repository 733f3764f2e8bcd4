import type { BasicFilter } from '../src/filters.ts';

/** What `src/platform.ts` sends to the page. */
export interface Settings {
  reportId: string;
  filters: BasicFilter[];
  /** Whether the reader may take data away. */
  canExport: boolean;
}

export const readSettings = (settings: unknown): Settings => settings as Settings;
