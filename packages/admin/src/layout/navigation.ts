import type { Icon } from '@tabler/icons-react';
import IconActivity from '@tabler/icons-react/icons/IconActivity';
import IconArchive from '@tabler/icons-react/icons/IconArchive';
import IconBuilding from '@tabler/icons-react/icons/IconBuilding';
import IconCode from '@tabler/icons-react/icons/IconCode';
import IconDatabase from '@tabler/icons-react/icons/IconDatabase';
import IconEye from '@tabler/icons-react/icons/IconEye';
import IconFolders from '@tabler/icons-react/icons/IconFolders';
import IconKey from '@tabler/icons-react/icons/IconKey';
import IconLayoutDashboard from '@tabler/icons-react/icons/IconLayoutDashboard';
import IconPalette from '@tabler/icons-react/icons/IconPalette';
import IconPlugConnected from '@tabler/icons-react/icons/IconPlugConnected';
import IconReportAnalytics from '@tabler/icons-react/icons/IconReportAnalytics';
import IconSettings from '@tabler/icons-react/icons/IconSettings';
import IconShieldLock from '@tabler/icons-react/icons/IconShieldLock';
import IconUser from '@tabler/icons-react/icons/IconUser';
import IconUsersGroup from '@tabler/icons-react/icons/IconUsersGroup';

import type { AdminMessageKey } from '../messages/messages.ts';

/** An entry of the navigation of an organization. */
export interface NavigationEntry {
  /** Below `/organizations/{id}`. */
  path: string;
  label: AdminMessageKey;
  icon: Icon;
  /** Contributors see the entry, too. */
  isForContributors?: boolean;
}

/** Entries under one heading. */
export interface NavigationGroup {
  /** `null` for the overview, which needs no heading. */
  label: AdminMessageKey | null;
  entries: readonly NavigationEntry[];
}

// Each icon has its own import, because the index of the library loads all of them.
export const navigation: readonly NavigationGroup[] = [
  {
    label: null,
    entries: [{ path: '', label: 'nav.home', icon: IconLayoutDashboard, isForContributors: true }],
  },
  {
    label: 'nav.content',
    entries: [
      {
        path: '/reports',
        label: 'reports.title',
        icon: IconReportAnalytics,
        isForContributors: true,
      },
      { path: '/datasets', label: 'datasets.title', icon: IconDatabase, isForContributors: true },
      { path: '/workspaces', label: 'workspaces.title', icon: IconFolders },
      { path: '/archive', label: 'archive.title', icon: IconArchive, isForContributors: true },
    ],
  },
  {
    label: 'nav.people',
    entries: [
      { path: '/users', label: 'users.title', icon: IconUser },
      { path: '/groups', label: 'groups.title', icon: IconUsersGroup },
      { path: '/companies', label: 'companies.title', icon: IconBuilding },
    ],
  },
  {
    label: 'nav.security',
    entries: [
      { path: '/settings/api-keys', label: 'api_keys.title', icon: IconKey },
      { path: '/settings/sign-in', label: 'provider.title', icon: IconShieldLock },
      { path: '/access-log', label: 'access_log.title', icon: IconEye },
      { path: '/activity-log', label: 'activity_log.title', icon: IconActivity },
    ],
  },
  {
    label: 'nav.settings',
    entries: [
      { path: '/settings', label: 'nav.general', icon: IconSettings },
      { path: '/settings/embedding', label: 'embedding.title', icon: IconCode },
      { path: '/settings/appearance', label: 'appearance.title', icon: IconPalette },
      { path: '/settings/platforms', label: 'platforms.title', icon: IconPlugConnected },
    ],
  },
];
