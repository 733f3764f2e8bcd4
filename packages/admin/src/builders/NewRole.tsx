import { useAnswer } from '../api/queries.ts';
import { Loaded } from '../kit/Loaded.tsx';
import { useOrganizationId } from '../session/organization.ts';
import { DatasetDraft } from './DatasetDraft.tsx';
import { RoleForm } from './RoleForm.tsx';

/** Adds a role to a dataset, on the page of one of its reports. */
export function NewRole({ datasetId, onClose }: { datasetId: string; onClose: () => void }) {
  const organizationId = useOrganizationId();
  const dataset = useAnswer('readDataset', { organizationId, datasetId });
  return (
    <Loaded query={dataset}>
      {(loaded) => (
        <DatasetDraft dataset={loaded}>
          {(editing) => (
            <RoleForm dataset={loaded} role={undefined} editing={editing} onClose={onClose} />
          )}
        </DatasetDraft>
      )}
    </Loaded>
  );
}
