import type { models } from 'powerbi-client';

/** What `src/platform.ts` sends to the page. */
export interface Settings {
  reportId: string;
  filters: models.IBasicFilter[];
  /** Names the filters. */
  filtersKey: string;
  /** Whether the reader may take data away. */
  canExport: boolean;
}

export const readSettings = (settings: unknown): Settings => settings as Settings;
