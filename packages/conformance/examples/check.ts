// #region check
import { checkPortalConformance, formatJunit } from '@portal-embed/conformance';

const { REPORTS_URL = '', PORTAL_API_KEY = '' } = process.env;
const report = await checkPortalConformance({ url: REPORTS_URL, apiKey: PORTAL_API_KEY });
for (const { id, kind, expected, got } of report.results)
  if (kind === 'failed') console.log(`${id}: expected ${expected}, got ${got}`);
// #endregion
// #region junit
console.log(formatJunit(report));
// #endregion
