import { Badge, Button, Group, Text } from '@mantine/core';

import { useChange } from '../api/queries.ts';
import { Failure } from '../kit/Failure.tsx';
import { Section } from '../kit/Section.tsx';
import { useFormats } from '../messages/messages.ts';
import type { PowerbiConnection } from '../requests/platforms.ts';
import { useOrganizationId } from '../session/organization.ts';
import { isPending } from './runs.ts';
import { RunState } from './RunState.tsx';

const colors = { ok: 'teal', warning: 'yellow', error: 'red' } as const;

/** Whether sign-in, rights and tokens work, and what to do about what does not. */
export function Check({ connection }: { connection: PowerbiConnection }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const { platform, label, check } = connection;
  const request = useChange('requestPlatformCheck');
  return (
    <Section title={formatMessage('platforms.check')} text={formatMessage('platforms.check.text')}>
      {request.error && <Failure error={request.error} />}
      <Group>
        <Button
          loading={request.isPending || (check !== null && isPending(check))}
          onClick={() => request.mutate({ organizationId, platform })}
        >
          {formatMessage('platforms.check.now')}
        </Button>
      </Group>
      <RunState run={check ?? undefined} label={label} />
      {check !== null && check.findings.length > 0 && (
        <ul className="plain-list">
          {check.findings.map(({ level, text }) => (
            <li key={text}>
              <Group gap="xs" wrap="nowrap" align="flex-start">
                <Badge color={colors[level]} flex="none">
                  {formatMessage(`platforms.finding.${level}`)}
                </Badge>
                <Text size="sm" className="breakable">
                  {text}
                </Text>
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
