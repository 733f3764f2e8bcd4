import type { ReportPlatform } from '#platform';

/** A platform whose reports are one text each. */
export const fixedTilePlatform: ReportPlatform = {
  name: 'fixed-tile',
  label: 'Fixed tile',
  reportType: 101,
  authored: false,
  catalogue: {
    checkReport: (source) => ('text' in (source as object) ? [] : ['text: is missing']),
    checkDataset: () => [],
    checkRole: (_name, definition) => (definition === null ? [] : ['the definition must be null']),
  },
  open: async ({ report, rows }) => ({
    kind: 'tiles',
    page: async () => {
      const { text } = report.source as { text: string };
      const tile = { type: 'text' as const, id: '0.0.0', title: '', width: 12, text };
      const rowCount = rows.access === 'everyone' ? 1 : rows.roles.length;
      const page = { name: 'Page', index: 0, rows: [[tile]] };
      const none = {
        unappliedFilters: [],
        unreadableFilters: [],
        readerFilters: [],
        filterFields: [],
      };
      return { ...none, rowCount, timeZone: 'UTC', pages: ['Page'], page };
    },
  }),
  close: async () => {},
};
