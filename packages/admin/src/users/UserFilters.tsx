import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';

import { useAnswer } from '../api/queries.ts';
import { useFormats } from '../messages/messages.ts';
import { useOrganizationId } from '../session/organization.ts';
import { listRoleChoices } from './roles.ts';

/** The filters of the list of users. */
export function UserFilters({
  params,
  setFilter,
}: {
  params: URLSearchParams;
  setFilter: (name: string, value: string) => void;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const companies = useAnswer('listCompanies', { organizationId });
  const search = useDebouncedCallback((value: string) => setFilter('search', value), 200);
  const select = (name: string) => ({
    value: params.get(name),
    onChange: (value: string | null) => setFilter(name, value ?? ''),
    placeholder: formatMessage('filter.all'),
    clearable: true,
    clearButtonProps: { 'aria-label': formatMessage('filter.clear') },
  });
  return (
    <SimpleGrid component="search" cols={{ base: 1, xs: 2, lg: 4 }}>
      <TextInput
        type="search"
        label={formatMessage('users.search')}
        defaultValue={params.get('search') ?? ''}
        onChange={(event) => search(event.currentTarget.value)}
      />
      <Select
        label={formatMessage('users.role')}
        data={listRoleChoices(formatMessage)}
        {...select('role')}
      />
      <Select
        label={formatMessage('users.expiry')}
        data={[
          { value: 'soon', label: formatMessage('users.expiry.soon') },
          { value: 'expired', label: formatMessage('users.expiry.expired') },
        ]}
        {...select('expiry')}
      />
      <Select
        label={formatMessage('users.company')}
        data={(companies.data?.companies ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        selectFirstOptionOnChange
        nothingFoundMessage={formatMessage('choose.none')}
        {...select('companyId')}
      />
    </SimpleGrid>
  );
}
