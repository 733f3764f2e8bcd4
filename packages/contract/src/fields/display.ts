import { z } from 'zod';

import { countUtf8Bytes, nonEmptyText, requestLimits, storableText } from './scalars.ts';

/**
 * A filter that a report is opened with. `key` is `Table/Column` or `Column`. A row must match at
 * least one value of each key. A filter narrows what row-level security allows and never widens it.
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
    (filters) => countUtf8Bytes(JSON.stringify(filters)) <= requestLimits.filterBytes,
    `must have at most ${requestLimits.filterBytes} bytes in total`,
  );

/** Normalizes a filter key or column name for comparison: ignores letter case and Unicode form. */
export const foldFilterKey = (key: string): string => key.normalize('NFKC').toLowerCase();

/** Which bars of the portal are hidden; each defaults to false. */
export const displayFlags = {
  hideMenu: z.boolean().optional().describe('Hides the menu bar of an open report.'),
  hideNavbar: z.boolean().optional().describe('Hides the navigation bar.'),
  hideSidebar: z.boolean().optional().describe('Hides the sidebar.'),
  embed: z.boolean().optional().describe('Hides all three and overrides the other flags.'),
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
