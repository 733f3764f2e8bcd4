import type { DefinitionMistake } from '#admin/requests';

import type { Mistake } from './mistakes.ts';

/** A mistake as pages get it. It can be in a file that uses the edited one. */
export const presentMistake =
  (edited: string) =>
  ({ file, line, column, message }: Mistake): DefinitionMistake => ({
    line,
    column,
    message,
    ...(file !== edited && { file }),
  });
