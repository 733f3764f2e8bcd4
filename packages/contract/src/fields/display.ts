import { z } from 'zod';

/** Which bars of the portal are hidden; each defaults to false. */
export const displayFlags = {
  hideMenu: z.boolean().optional().describe('Hides the menu bar of an open report.'),
  hideNavbar: z
    .boolean()
    .optional()
    .meta({ description: 'Hides the navigation bar.', example: true }),
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
