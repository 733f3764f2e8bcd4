import { useState } from 'react';

import { useAnswer } from '../api/queries.ts';
import { Empty } from '../kit/Empty.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { AccessTable } from '../logs/AccessTable.tsx';
import { useFormats } from '../messages/messages.ts';
import { useOrganizationId } from '../session/organization.ts';

/** Who opened a report, from the access log. */
export function UsageTab({ reportId }: { reportId: string }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [page, setPage] = useState(1);
  const log = useAnswer('listAccess', { organizationId, reportId, page });
  return (
    <Loaded query={log}>
      {(found) =>
        found.data.length === 0 ? (
          <Empty title={formatMessage('usage.empty')}>{formatMessage('usage.empty.text')}</Empty>
        ) : (
          <AccessTable log={found} page={page} onPage={setPage} hasReports={false} />
        )
      }
    </Loaded>
  );
}
