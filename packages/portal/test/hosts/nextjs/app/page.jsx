import { Report } from './report.jsx';

export const dynamic = 'force-dynamic';

export default function Page() {
  return <Report reportId={process.env.REPORT_ID} />;
}
