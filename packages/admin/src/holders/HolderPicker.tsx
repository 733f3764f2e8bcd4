import type { Ref } from 'react';

import { useAnswer } from '../api/queries.ts';
import { Picker } from '../kit/Picker.tsx';
import { useSearch } from '../kit/use-search.ts';
import { useFormats } from '../messages/messages.ts';
import type { Holder } from '../requests/reports.ts';
import { useOrganizationId } from '../session/organization.ts';
import { useHolderLabel } from './use-holder-label.ts';

const everyKind = ['group', 'user'] as const;

/** Finds users and groups by name or e-mail. Choosing one adds it at once. */
export function HolderPicker({
  ref,
  label,
  kinds = everyKind,
  onChoose,
}: {
  ref?: Ref<HTMLInputElement> | undefined;
  label: string;
  kinds?: readonly Holder['kind'][];
  onChoose: (holder: Holder) => void;
}) {
  const { formatMessage } = useFormats();
  const labelOf = useHolderLabel();
  const organizationId = useOrganizationId();
  const search = useSearch();
  const found = useAnswer('findHolders', { organizationId, search: search.search });
  return (
    <Picker
      ref={ref}
      label={label}
      placeholder={formatMessage('holder.search')}
      search={search}
      found={found}
      listChoices={({ holders }) =>
        kinds.flatMap((wanted) =>
          holders
            .filter(({ kind }) => kind === wanted)
            .map((holder) => ({
              value: holder.id,
              label: labelOf(holder),
              group: formatMessage(`holder.${wanted}s`),
            })),
        )
      }
      onChoose={(id) => {
        const chosen = found.data?.holders.find((holder) => holder.id === id);
        if (chosen) onChoose(chosen);
      }}
    />
  );
}
