import { useState } from 'react';

import { useAnswer } from '../api/queries.ts';
import { Choose } from '../kit/Choose.tsx';
import { useOrganizationId } from '../layout/organization.ts';
import { useFormats } from '../messages/messages.ts';

interface Chooser {
  onChoose: (id: string) => void;
}

export function ChooseReport({ onChoose }: Chooser) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [search, setSearch] = useState('');
  const { data } = useAnswer('searchReports', { organizationId, search });
  const choices = data?.items.map(({ id, name, workspaceName }) => ({
    value: id,
    label: `${name} · ${workspaceName}`,
  }));
  const label = formatMessage('links.add_report');
  return <Choose label={label} choices={choices} onSearch={setSearch} onChoose={onChoose} />;
}

export function ChooseRole({ onChoose }: Chooser) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [search, setSearch] = useState('');
  const { data } = useAnswer('searchRoles', { organizationId, search });
  const choices = data?.items.map(({ id, name, datasetName }) => ({
    value: id,
    label: `${name} · ${datasetName}`,
  }));
  const label = formatMessage('links.add_role');
  return <Choose label={label} choices={choices} onSearch={setSearch} onChoose={onChoose} />;
}

export function ChooseGroup({ onChoose }: Chooser) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [search, setSearch] = useState('');
  const { data } = useAnswer('listGroups', { organizationId, search });
  const choices = data?.items.map(({ id, name }) => ({ value: id, label: name }));
  const label = formatMessage('links.add_group');
  return <Choose label={label} choices={choices} onSearch={setSearch} onChoose={onChoose} />;
}

export function ChooseUser({ onChoose }: Chooser) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [search, setSearch] = useState('');
  const { data } = useAnswer('listUsers', { organizationId, search });
  const choices = data?.items.map(({ id, name, email }) => ({
    value: id,
    label: `${name} · ${email}`,
  }));
  const label = formatMessage('links.add_user');
  return <Choose label={label} choices={choices} onSearch={setSearch} onChoose={onChoose} />;
}
