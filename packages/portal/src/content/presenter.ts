import type { AppliedContent, ChangedData } from '@portal-embed/contract';

import type { DataResult } from './new-data/change.ts';
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

export const presentData = ({ file, datasets, hints }: DataResult): ChangedData => ({
  file,
  datasets,
  hints,
});
