import type { FrameRequest } from 'platform/page';
import { models } from 'powerbi-client';

import { readSettings } from './settings.ts';
import { readView, type View } from './view.ts';

export type Configuration = models.IReportLoadConfiguration & { type: 'report' };

/** How Power BI shows the report to the reader at first. */
export function configure({
  url,
  token,
  settings,
  view,
  theme,
  locale,
  canTakeAway,
}: FrameRequest): Configuration {
  const { reportId, filters, filtersKey, canExport } = readSettings(settings);
  const exportOption = {
    displayOption:
      canTakeAway && canExport
        ? models.CommandDisplayOption.Enabled
        : models.CommandDisplayOption.Hidden,
  };
  return {
    type: 'report',
    id: reportId,
    embedUrl: url,
    accessToken: token,
    tokenType: models.TokenType.Embed,
    permissions: models.Permissions.Read,
    viewMode: models.ViewMode.View,
    // Filters that are set after loading get lost before the report is drawn.
    filters,
    theme: { themeJson: themes[theme] },
    ...placeOf(readView(view, filtersKey)),
    settings: {
      localeSettings: { language: locale, formatLocale: locale },
      // The portal has these commands.
      bars: { actionBar: { visible: false }, statusBar: { visible: false } },
      // As in built-in reports, no display flag hides filters and pages.
      panes: {
        filters: { visible: true, expanded: false },
        pageNavigation: { visible: true },
      },
      commands: [{ exportData: exportOption, seeData: exportOption }],
      layoutType: models.LayoutType.Master,
    },
  };
}

/** The part of a configuration that opens the report where the reader has left it. */
export const placeOf = ({
  page,
  bookmark,
}: View): Pick<Configuration, 'pageName' | 'bookmark'> => ({
  ...(page === undefined ? {} : { pageName: page }),
  ...(bookmark === undefined ? {} : { bookmark: { state: bookmark } }),
});

/** Colours of the frame around the visuals, which authors style themselves. */
export const themes = {
  light: { name: 'Light', background: '#ffffff', foreground: '#1f2328' },
  dark: { name: 'Dark', background: '#15171a', foreground: '#e6e6e6' },
};
