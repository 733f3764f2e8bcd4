import type { AppliedContent } from '@portal-embed/contract';

import type { ContentResult } from './service.ts';

export const presentResult = ({ changes, hints }: ContentResult): AppliedContent => ({
  changes: changes.map(({ kind, slug, id, name, change, isConflict }) => ({
    kind,
    slug,
    id,
    name,
    change,
    conflict: isConflict,
  })),
  hints,
});
