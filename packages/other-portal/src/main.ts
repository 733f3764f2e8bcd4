/** `npm start`: runs the portal until Ctrl-C, and prints its settings under the names that the guides use. */
import { startOtherPortal } from './server.ts';

const { OTHER_PORTAL_PORT = '4100' } = process.env;

try {
  const port = Number(OTHER_PORTAL_PORT);
  const { apiUrl, portalUrl, apiKey, state } = await startOtherPortal({ port });
  const settings = {
    REPORTS_URL: apiUrl,
    ACME_BASE_URL: portalUrl,
    ACME_ORGANIZATION_ID: state.organizationId,
    ACME_API_KEY: apiKey,
    PORTAL_API_KEY: apiKey,
    SALES_REPORT_ID: state.reports[0]?.id,
    SALES_DATASET_ID: state.datasets[0]?.id,
  };
  for (const [name, value] of Object.entries(settings)) process.stdout.write(`${name}=${value}\n`);
} catch (error) {
  process.stderr.write(`${String(error)}. Set OTHER_PORTAL_PORT to a free port.\n`);
  process.exitCode = 1;
}
