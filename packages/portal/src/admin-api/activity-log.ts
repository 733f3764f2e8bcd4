import type { AdminActivity } from '#admin/requests';

import { presentActivity } from '../activity-log/presenter.ts';
import { findSubjectNames, listActivity, type Action } from '../activity-log/service.ts';
import type { Platforms } from '../platforms/registry.ts';
import type { AdminHandlers } from './mount.ts';

const limit = 50;

/** Operations whose subject is a platform. */
const aboutPlatforms: ReadonlySet<string> = new Set<Action>([
  'connectPlatform',
  'changePlatform',
  'disconnectPlatform',
  'syncPlatform',
  'requestPlatformSync',
  'requestPlatformCheck',
]);

export const activityLogAdminRoutes = (platforms: Pick<Platforms, 'productOf'>) =>
  ({
    listActivity: async ({ ctx }, { from, to, action, refused, beforeId }) => {
      const rows = await listActivity(ctx, {
        action,
        refused,
        beforeId,
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
        // Successful mints would hide the other entries, and the access log has those for one report.
        withoutMints: action === undefined && refused !== true,
        limit: limit + 1,
      });
      const shown = rows.slice(0, limit);
      const names = await findSubjectNames(ctx, shown);
      const entries = shown.map((row) =>
        Object.assign(presentActivity(row) as Omit<AdminActivity, 'subjectName'>, {
          subjectName: aboutPlatforms.has(row.action)
            ? platforms.productOf(row.subject)
            : (names.get(row.subject.toLowerCase()) ?? null),
        }),
      );
      return { entries, isEnd: rows.length <= limit };
    },
  }) satisfies Partial<AdminHandlers>;
