import type { MessageKey } from 'page-kit/messages/catalogue';
import { loadFormats, type Formats } from 'viewer/formats';

import type { AdminMessageKey, Formats as AdminFormats } from '../messages/messages.ts';

/** Texts of the viewer that name the administrator as contact. Here, the reader is an administrator. */
const texts: Partial<Record<MessageKey, AdminMessageKey>> = {
  'report.no_rows.filtered': 'preview.no_rows',
  'problem.internal_error.advice': 'preview.problem',
  'problem.report_failed.advice': 'preview.problem',
  'problem.source_unavailable.advice': 'preview.problem',
  'problem.database_unavailable.advice': 'preview.problem',
  'tile.failure.failed': 'preview.tile.failed',
  'tile.failure.out_of_memory': 'preview.tile.memory',
  'tile.failure.timeout': 'preview.tile.timeout',
  'tile.failure.overflow': 'preview.tile.overflow',
  'tile.failure.not_drawn': 'preview.tile.not_drawn',
};

/**
 * The viewer's formats with the advice for authors.
 *
 * @param hasAllRows whether the preview shows all rows, and not those of a user
 */
export async function loadPreviewFormats(
  formatAdmin: AdminFormats['formatMessage'],
  hasAllRows: () => boolean,
): Promise<Formats> {
  const formats = await loadFormats();
  return {
    ...formats,
    formatMessage: (key, values) => {
      const isWhy = key === 'why.everyone' && hasAllRows();
      const text = isWhy ? 'preview.all_rows' : texts[key];
      return text === undefined ? formats.formatMessage(key, values) : formatAdmin(text);
    },
  };
}
