import type { AdminMessageKey } from '../messages/messages.ts';

/** An entry of the navigation of an organization. */
export interface NavigationEntry {
  /** Below `/organizations/{id}`. */
  path: string;
  label: AdminMessageKey;
  /** Contributors see the entry, too. */
  isForContributors?: boolean;
}

export const navigation: readonly NavigationEntry[] = [
  { path: '', label: 'nav.home', isForContributors: true },
  { path: '/reports', label: 'reports.title', isForContributors: true },
  { path: '/datasets', label: 'datasets.title', isForContributors: true },
  { path: '/workspaces', label: 'workspaces.title' },
  { path: '/archive', label: 'archive.title', isForContributors: true },
  { path: '/users', label: 'users.title' },
  { path: '/groups', label: 'groups.title' },
  { path: '/companies', label: 'companies.title' },
  { path: '/access-log', label: 'access_log.title' },
  { path: '/activity-log', label: 'activity_log.title' },
  { path: '/settings/api-keys', label: 'api_keys.title' },
  { path: '/settings/embedding', label: 'embedding.title' },
  { path: '/settings/appearance', label: 'appearance.title' },
  { path: '/settings/sign-in', label: 'provider.title' },
  { path: '/settings', label: 'settings.title' },
];
