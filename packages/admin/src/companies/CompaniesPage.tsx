import { Anchor, Button, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';

import { useAnswer, useChange } from '../api/queries.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { Empty } from '../kit/Empty.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { NameDialog } from '../kit/NameDialog.tsx';
import { Page } from '../kit/Page.tsx';
import { useFormats } from '../messages/messages.ts';
import type { ListedCompany } from '../requests/companies.ts';
import { useOrganizationId } from '../session/organization.ts';

type OpenDialog = { kind: 'create' } | { kind: 'rename' | 'delete'; company: ListedCompany };

/** The companies that users belong to. */
export function CompaniesPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const companies = useAnswer('listCompanies', { organizationId });
  const [open, setOpen] = useState<OpenDialog>();
  const close = () => setOpen(undefined);
  const create = useChange('createCompany', close);
  const action = (
    <Button onClick={() => setOpen({ kind: 'create' })}>{formatMessage('companies.create')}</Button>
  );
  return (
    <Page title={formatMessage('companies.title')} actions={action}>
      <Text c="dimmed">{formatMessage('companies.text')}</Text>
      {open?.kind === 'create' && (
        <NameDialog
          title={formatMessage('companies.create')}
          isBusy={create.isPending}
          error={create.error}
          onClose={close}
          onSubmit={(name) => create.mutate({ organizationId, name })}
        />
      )}
      {open?.kind === 'rename' && <RenameCompany company={open.company} onClose={close} />}
      {open?.kind === 'delete' && <DeleteCompany company={open.company} onClose={close} />}
      <Loaded query={companies}>
        {({ companies: list }) =>
          list.length === 0 ? (
            <Empty title={formatMessage('companies.none.title')} action={action}>
              {formatMessage('companies.none.text')}
            </Empty>
          ) : (
            <CompanyTable companies={list} onOpen={setOpen} />
          )
        }
      </Loaded>
    </Page>
  );
}

function CompanyTable({
  companies,
  onOpen,
}: {
  companies: readonly ListedCompany[];
  onOpen: (open: OpenDialog) => void;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  return (
    <Table.ScrollContainer minWidth={480} className="fits-phone">
      <Table>
        <Table.Tbody>
          {companies.map((company) => (
            <Table.Tr key={company.id}>
              <Table.Td className="breakable">{company.name}</Table.Td>
              <Table.Td>
                <Anchor
                  component={Link}
                  href={`/organizations/${organizationId}/users?companyId=${company.id}`}
                >
                  {formatMessage('companies.users', { count: company.users })}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  {(['rename', 'delete'] as const).map((kind) => (
                    <Button
                      key={kind}
                      size="compact-sm"
                      variant="default"
                      aria-label={formatMessage(`companies.${kind}`, { name: company.name })}
                      onClick={() => onOpen({ kind, company })}
                    >
                      {formatMessage(`action.${kind}`)}
                    </Button>
                  ))}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface CompanyDialogProps {
  company: ListedCompany;
  onClose: () => void;
}

function RenameCompany({ company, onClose }: CompanyDialogProps) {
  const { formatMessage } = useFormats();
  const path = { organizationId: useOrganizationId(), companyId: company.id };
  const rename = useChange('renameCompany', onClose);
  return (
    <NameDialog
      title={formatMessage('companies.rename', { name: company.name })}
      name={company.name}
      isBusy={rename.isPending}
      error={rename.error}
      onClose={onClose}
      onSubmit={(name) => rename.mutate({ ...path, name, baseName: company.name })}
    />
  );
}

function DeleteCompany({ company, onClose }: CompanyDialogProps) {
  const { formatMessage } = useFormats();
  const path = { organizationId: useOrganizationId(), companyId: company.id };
  const remove = useChange('deleteCompany', onClose);
  return (
    <Dialog
      title={formatMessage('companies.delete', { name: company.name })}
      submit={formatMessage('action.delete')}
      isDanger
      isBusy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onSubmit={() => remove.mutate(path)}
    >
      <Text>{formatMessage('companies.delete.text')}</Text>
    </Dialog>
  );
}
