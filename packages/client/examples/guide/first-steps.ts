// #region connect
import { createPortalClient, PortalApiError, provisionUser, syncUsers } from '@portal-embed/client';

const { REPORTS_URL = '', ACME_API_KEY = '', ACME_BASE_URL = '' } = process.env;
const portal = createPortalClient({ apiUrl: REPORTS_URL, apiKey: ACME_API_KEY });
// #endregion

// #region iterate
for await (const report of portal.reports.iterate()) console.log(`report ${report.name}`);

const { data } = await portal.reports.list({ workspaceName: 'Sales' });
const reports = data.map(({ id }) => id);
// #endregion

// #region create
const userEmail = 'nora@acme.example';
await portal.users.create({ email: userEmail, name: 'Nora North', role: 3 });
await portal.users.linkReports({ userEmail, reports });
// #endregion

// #region mint
const { embedUrl, expiresIn } = await portal.identity.mintUrl({
  userEmail,
  baseUrl: ACME_BASE_URL,
});
console.log(`a URL of ${new URL(embedUrl).origin}, for ${expiresIn} seconds`);
// #endregion

// #region errors
try {
  await portal.users.delete({ userEmail: 'nobody@acme.example' });
} catch (error) {
  if (!(error instanceof PortalApiError) || error.status !== 404) throw error;
  console.log('there is no such user');
}
// #endregion

// #region sync
await provisionUser(portal, { email: 'otto@acme.example', name: 'Otto Oak', role: 3, reports });

const { data: roles } = await portal.rls.list();
const rlsRoles = roles
  .filter(({ name }) => name === 'West')
  .map(({ datasetId, name }) => ({ datasetId, role: name }));
const team = ['ada', 'ben', 'cleo'].map((name) => ({
  email: `${name}@acme.example`,
  name,
  role: 3,
  reports,
  rlsRoles,
}));
const plan = await syncUsers(portal, team, { dryRun: true });
console.log(`${plan.steps.length} calls to make`);
const { failures } = await syncUsers(portal, team, {
  onProgress: ({ done, total }) => console.log(`${done} of ${total}`),
});
// #endregion

// #region end
console.log(`${failures.length} failures`);
for (const email of [userEmail, 'otto@acme.example', ...team.map((each) => each.email)])
  await portal.users.delete({ userEmail: email });
await portal.close();
// #endregion
