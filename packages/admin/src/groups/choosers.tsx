import { useAnswer } from '../api/queries.ts';
import { useHolderLabel } from '../holders/use-holder-label.ts';
import { Picker } from '../kit/Picker.tsx';
import { useSearch } from '../kit/use-search.ts';
import { without } from '../kit/without.ts';
import { useFormats } from '../messages/messages.ts';
import { useOrganizationId } from '../session/organization.ts';

interface Chooser {
  /** Not offered again. */
  linked: readonly { id: string }[];
  onChoose: (id: string) => void;
}

export function ChooseReport({ linked, onChoose }: Chooser) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const search = useSearch();
  const found = useAnswer('searchReports', { organizationId, search: search.search });
  return (
    <Picker
      label={formatMessage('links.add_report')}
      search={search}
      found={found}
      listChoices={({ items }) =>
        without(items, linked).map(({ id, name, workspaceName }) => ({
          value: id,
          label: `${name} · ${workspaceName}`,
        }))
      }
      onChoose={onChoose}
    />
  );
}

export function ChooseRole({ linked, onChoose }: Chooser) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const search = useSearch();
  const found = useAnswer('searchRoles', { organizationId, search: search.search });
  return (
    <Picker
      label={formatMessage('links.add_role')}
      search={search}
      found={found}
      listChoices={({ items }) =>
        without(items, linked).map(({ id, name, datasetName }) => ({
          value: id,
          label: `${name} · ${datasetName}`,
        }))
      }
      onChoose={onChoose}
    />
  );
}

export function ChooseGroup({ linked, onChoose }: Chooser) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const search = useSearch();
  const found = useAnswer('listGroups', { organizationId, search: search.search });
  return (
    <Picker
      label={formatMessage('links.add_group')}
      search={search}
      found={found}
      listChoices={({ items }) =>
        without(items, linked).map(({ id, name }) => ({ value: id, label: name }))
      }
      onChoose={onChoose}
    />
  );
}

export function ChooseUser({ linked, onChoose }: Chooser) {
  const { formatMessage } = useFormats();
  const labelOf = useHolderLabel();
  const organizationId = useOrganizationId();
  const search = useSearch();
  const found = useAnswer('listUsers', { organizationId, search: search.search });
  return (
    <Picker
      label={formatMessage('links.add_user')}
      search={search}
      found={found}
      listChoices={({ items }) =>
        without(items, linked).map((user) => ({ value: user.id, label: labelOf(user) }))
      }
      onChoose={onChoose}
    />
  );
}
