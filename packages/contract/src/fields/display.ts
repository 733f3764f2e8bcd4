import { z } from 'zod';

import { storableText, requestLimits, nonEmptyText } from './scalars.ts';

/**
 * A filter a report is opened with. `key` is `Table/Column` or `Column`. Several values of one key
 * mean any of them; different keys must all hold. A filter narrows what row-level security allows
 * and never widens it.
 */
export const customFilterSchema = z.strictObject({
  key: nonEmptyText(requestLimits.filterKey).describe('`Table/Column` or `Column`.'),
  value: storableText(requestLimits.filterValue).describe('A value of the column, as text.'),
});
export type CustomFilter = z.infer<typeof customFilterSchema>;

export const customFiltersSchema = z
  .array(customFilterSchema)
  .max(requestLimits.filters)
  .refine(
    (filters) => countBytes(filters) <= requestLimits.filterBytes,
    `must have at most ${requestLimits.filterBytes} bytes in total`,
  );

/** Counts UTF-8 bytes: URI encoding turns each byte into one character or `%` and two digits. */
const countBytes = (value: unknown) =>
  encodeURIComponent(JSON.stringify(value)).replaceAll(/%../g, '.').length;

/** Normalizes a filter key or column name for comparison: ignores letter case and Unicode form. */
export const foldFilterKey = (key: string): string => key.normalize('NFKC').toLowerCase();

/** Which bars of the portal are hidden; each defaults to false. */
export const displayFlags = {
  hideMenu: z.boolean().optional().describe('Hides the menu bar of an open report.'),
  hideNavbar: z.boolean().optional().describe('Hides the navigation bar.'),
  hideSidebar: z.boolean().optional().describe('Hides the sidebar.'),
  embed: z.boolean().optional().describe('Hides all three, whatever the others say.'),
};

export interface DisplayFlags {
  hideMenu: boolean;
  hideNavbar: boolean;
  hideSidebar: boolean;
}

/** Resolves the `embed` shortcut and the defaults. */
export function resolveDisplayFlags(flags: {
  hideMenu?: boolean | undefined;
  hideNavbar?: boolean | undefined;
  hideSidebar?: boolean | undefined;
  embed?: boolean | undefined;
}): DisplayFlags {
  return {
    hideMenu: flags.embed || flags.hideMenu || false,
    hideNavbar: flags.embed || flags.hideNavbar || false,
    hideSidebar: flags.embed || flags.hideSidebar || false,
  };
}
