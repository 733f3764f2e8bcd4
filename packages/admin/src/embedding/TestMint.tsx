import { Button, Group } from '@mantine/core';
import { useState } from 'react';

import { useAnswer, useChange } from '../api/queries.ts';
import { HolderPicker } from '../holders/HolderPicker.tsx';
import { Failure } from '../kit/Failure.tsx';
import { Picker } from '../kit/Picker.tsx';
import { PortalFrame } from '../kit/PortalFrame.tsx';
import { Section } from '../kit/Section.tsx';
import { useSearch } from '../kit/use-search.ts';
import { useFormats } from '../messages/messages.ts';
import type { Named } from '../requests/lists.ts';
import { useOrganizationId } from '../session/organization.ts';

/** Mints a URL for a chosen user and opens it, as the host's application would. */
export function TestMint() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [user, setUser] = useState<Named>();
  const [report, setReport] = useState<Named>();
  const { mutate, data, error, isPending } = useChange('testMint');
  // Another user may be chosen while the portal is open.
  const [opened, setOpened] = useState<Named>();
  return (
    <Section title={formatMessage('embedding.test')} text={formatMessage('embedding.test.text')}>
      <Group align="flex-end">
        <HolderPicker
          label={
            user
              ? formatMessage('embedding.test.user', { name: user.name })
              : formatMessage('embedding.test.no_user')
          }
          kinds={['user']}
          onChoose={setUser}
        />
        <ReportChoice report={report} onChoose={setReport} />
        <Button
          disabled={!user}
          loading={isPending}
          onClick={() => {
            if (!user) return;
            setOpened(user);
            mutate({ organizationId, userId: user.id, ...(report && { reportId: report.id }) });
          }}
        >
          {formatMessage('embedding.test.open')}
        </Button>
      </Group>
      {error && <Failure error={error} />}
      {data && opened && (
        <PortalFrame {...data} title={formatMessage('view_as.title', { name: opened.name })} />
      )}
    </Section>
  );
}

/** Default: the whole portal. */
function ReportChoice({
  report,
  onChoose,
}: {
  report: Named | undefined;
  onChoose: (report: Named | undefined) => void;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const search = useSearch();
  const found = useAnswer('findReports', { organizationId, search: search.search });
  return (
    <Picker
      label={report ? report.name : formatMessage('embedding.test.whole')}
      search={search}
      found={found}
      listChoices={({ items }) => items.map(({ id, name }) => ({ value: id, label: name }))}
      onChoose={(id) => onChoose(found.data?.items.find((each) => each.id === id))}
    />
  );
}
