// #region connect
import { createPortalClient, PortalApiError, provisionUser, syncUsers } from '@portal-embed/client';
import type { PortalClient, UserState } from '@portal-embed/client';

export const connect = (): PortalClient =>
  createPortalClient({
    apiUrl: process.env['PORTAL_API_URL']!,
    apiKey: process.env['PORTAL_API_KEY']!,
  });
// #endregion

export async function onboard(portal: PortalClient, email: string, reportId: string) {
  // #region create
  await portal.users.create({ email, name: 'West', role: 3 });
  await portal.users.linkReports({ userEmail: email, reports: [reportId] });
  // #endregion
}

export async function listReports(portal: PortalClient): Promise<string[]> {
  const lines: string[] = [];
  // #region iterate
  for await (const report of portal.reports.iterate({ workspaceName: 'Sales' }))
    lines.push(`${report.id} ${report.name}`);
  // #endregion
  return lines;
}

export async function mint(portal: PortalClient, userEmail: string, baseUrl: string) {
  // #region mint
  const { embedUrl, expiresIn } = await portal.identity.mintUrl({ userEmail, baseUrl });
  // #endregion
  return { embedUrl, expiresIn };
}

export async function deleteIfThere(portal: PortalClient, userEmail: string): Promise<boolean> {
  // #region errors
  try {
    await portal.users.delete({ userEmail });
    return true;
  } catch (error) {
    if (error instanceof PortalApiError && error.status === 404) return false;
    throw error;
  }
  // #endregion
}

export async function bringToState(
  portal: PortalClient,
  [first, ...others]: [UserState, ...UserState[]],
  report: (line: string) => void,
) {
  // #region sync
  await provisionUser(portal, first);
  const plan = await syncUsers(portal, others, { dryRun: true });
  report(`${plan.steps.length} calls to make`);
  const { failures } = await syncUsers(portal, others, {
    onProgress: ({ done, total }) => report(`${done} of ${total}`),
  });
  // #endregion
  return failures;
}
