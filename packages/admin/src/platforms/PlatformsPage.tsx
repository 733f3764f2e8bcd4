import { Stack, Text } from '@mantine/core';

import { useAnswer } from '../api/queries.ts';
import { CopyText } from '../kit/CopyText.tsx';
import { Empty } from '../kit/Empty.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { Page } from '../kit/Page.tsx';
import { useFormats } from '../messages/messages.ts';
import type { PowerbiConnection } from '../requests/platforms.ts';
import { useOrganizationId } from '../session/organization.ts';
import { Check } from './Check.tsx';
import { Connection } from './Connection.tsx';
import { Models } from './Models.tsx';
import { isPending } from './runs.ts';
import { Syncs } from './Syncs.tsx';

/** The products whose reports the organization shows. Only operators connect them, since the portal signs in there. */
export function PlatformsPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const platforms = useAnswer(
    'readPlatforms',
    { organizationId },
    { isPending: ({ connections }) => connections.some(hasPendingRun) },
  );
  return (
    <Page title={formatMessage('platforms.title')}>
      <Text c="dimmed">{formatMessage('platforms.text')}</Text>
      <Loaded query={platforms}>
        {({ command, variables, connections }) =>
          connections.length === 0 ? (
            <Empty
              title={formatMessage('platforms.empty')}
              action={
                <CopyText block value={command} label={formatMessage('platforms.command.add')} />
              }
            >
              {formatMessage('platforms.empty.text', variables)}
            </Empty>
          ) : (
            connections.map((connection) => (
              <Stack key={connection.platform} gap="xl">
                <Connection connection={connection} />
                <Check connection={connection} />
                <Syncs connection={connection} />
                <Models connection={connection} />
              </Stack>
            ))
          )
        }
      </Loaded>
    </Page>
  );
}

const hasPendingRun = ({ check, syncs }: PowerbiConnection) =>
  [check, ...syncs].some((run) => run !== null && isPending(run));
