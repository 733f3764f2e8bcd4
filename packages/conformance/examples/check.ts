// #region check
import { checkPortalConformance } from '@portal-embed/conformance';

const { REPORTS_URL = '', PORTAL_API_KEY = '' } = process.env;
const report = await checkPortalConformance({ url: REPORTS_URL, apiKey: PORTAL_API_KEY });
const broken = report.results.filter(({ kind }) => kind === 'failed');
process.stdout.write(broken.map(({ id, got }) => `${id}: ${got}\n`).join(''));
// #endregion
