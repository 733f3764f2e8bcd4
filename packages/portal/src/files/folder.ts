import { folderFiles, stageCopies } from '#report-engine';

import type { PortalFiles } from './files.ts';

/** @param root the dataset folder */
export function folderStorage(root: string): PortalFiles {
  const files = folderFiles(root);
  return {
    of: (organizationId) =>
      Object.assign(files.of(organizationId), {
        stageCopies: (copies: ReadonlyMap<string, string>) =>
          stageCopies({ root, organizationId }, copies),
      }),
  };
}
