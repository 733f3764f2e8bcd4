import { Alert, Badge, Button, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';

import { useAnswer } from '../api/queries.ts';
import { CopyText } from '../kit/CopyText.tsx';
import { Empty } from '../kit/Empty.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { Page } from '../kit/Page.tsx';
import { useFormats } from '../messages/messages.ts';
import type { AdminApiKey, AdminNewApiKey } from '../requests/api-keys.ts';
import { useOrganizationId } from '../session/organization.ts';
import { CreateApiKey } from './CreateApiKey.tsx';
import { RevokeApiKey } from './RevokeApiKey.tsx';
import { RotateApiKey } from './RotateApiKey.tsx';

type Dialog = { kind: 'create' } | { kind: 'rotate' | 'revoke'; key: AdminApiKey };

/** The API keys of the organization. A new one is shown once, above the list. */
export function ApiKeysPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const keys = useAnswer('listApiKeys', { organizationId });
  const [dialog, setDialog] = useState<Dialog>();
  const [created, setCreated] = useState<AdminNewApiKey>();
  const close = () => setDialog(undefined);
  const showNew = (key: AdminNewApiKey) => {
    setCreated(key);
    close();
  };
  const openCreate = () => setDialog({ kind: 'create' });
  return (
    <Page
      title={formatMessage('api_keys.title')}
      actions={<Button onClick={openCreate}>{formatMessage('api_keys.create')}</Button>}
    >
      {created && (
        <Alert
          color="teal"
          title={formatMessage('api_keys.created')}
          withCloseButton
          closeButtonLabel={formatMessage('action.close')}
          onClose={() => setCreated(undefined)}
        >
          <Stack gap="xs">
            <Text size="sm">{formatMessage('api_keys.created.text')}</Text>
            <CopyText value={created.key} label={formatMessage('api_keys.key')} />
          </Stack>
        </Alert>
      )}
      <Loaded query={keys}>
        {({ keys: list }) =>
          list.length === 0 ? (
            <Empty
              title={formatMessage('api_keys.empty')}
              action={<Button onClick={openCreate}>{formatMessage('api_keys.create')}</Button>}
            >
              {formatMessage('api_keys.empty.text')}
            </Empty>
          ) : (
            <KeyTable
              keys={list}
              onRotate={(key) => setDialog({ kind: 'rotate', key })}
              onRevoke={(key) => setDialog({ kind: 'revoke', key })}
            />
          )
        }
      </Loaded>
      {dialog?.kind === 'create' && <CreateApiKey onClose={close} onCreated={showNew} />}
      {dialog?.kind === 'rotate' && (
        <RotateApiKey apiKey={dialog.key} onClose={close} onCreated={showNew} />
      )}
      {dialog?.kind === 'revoke' && <RevokeApiKey apiKey={dialog.key} onClose={close} />}
    </Page>
  );
}

/** A day, with the time as its tooltip. Not shown on a phone. */
function Day({ iso, otherwise }: { iso: string | null; otherwise: string }) {
  const { formatDate, formatTime } = useFormats();
  if (iso === null)
    return (
      <Table.Td visibleFrom="sm" className="unbroken">
        {otherwise}
      </Table.Td>
    );
  return (
    <Table.Td title={formatTime(iso)} visibleFrom="sm" className="unbroken">
      {formatDate(iso)}
    </Table.Td>
  );
}

const colors = { live: 'teal', expired: 'gray', revoked: 'red' } as const;

function KeyTable({
  keys,
  onRotate,
  onRevoke,
}: {
  keys: readonly AdminApiKey[];
  onRotate: (key: AdminApiKey) => void;
  onRevoke: (key: AdminApiKey) => void;
}) {
  const { formatMessage } = useFormats();
  return (
    <Table.ScrollContainer minWidth={700} className="fits-phone">
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{formatMessage('api_keys.name')}</Table.Th>
            <Table.Th visibleFrom="sm">{formatMessage('api_keys.permissions')}</Table.Th>
            <Table.Th>{formatMessage('api_keys.state')}</Table.Th>
            <Table.Th visibleFrom="sm">{formatMessage('api_keys.expires')}</Table.Th>
            <Table.Th visibleFrom="sm">{formatMessage('api_keys.used')}</Table.Th>
            <Table.Th>
              <span className="skip-link">{formatMessage('api_keys.actions')}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.id}>
              <Table.Td className="breakable">{key.name}</Table.Td>
              <Table.Td visibleFrom="sm">{key.permissions.join(', ')}</Table.Td>
              <Table.Td>
                <Badge color={colors[key.state]}>
                  {formatMessage(`api_keys.state.${key.state}`)}
                </Badge>
              </Table.Td>
              <Day iso={key.expiresAt} otherwise={formatMessage('api_keys.never')} />
              <Day iso={key.lastUsedAt} otherwise={formatMessage('api_keys.unused')} />
              <Table.Td>
                {key.state === 'live' && (
                  <Stack gap={4}>
                    {key.replacedBy === null && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        onClick={() => onRotate(key)}
                        aria-label={formatMessage('api_keys.rotate.named', { name: key.name })}
                      >
                        {formatMessage('api_keys.rotate')}
                      </Button>
                    )}
                    <Button
                      size="compact-sm"
                      variant="default"
                      onClick={() => onRevoke(key)}
                      aria-label={formatMessage('api_keys.revoke.named', { name: key.name })}
                    >
                      {formatMessage('api_keys.revoke')}
                    </Button>
                  </Stack>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
