import { useAnswer } from '../api/queries.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { Loading } from '../kit/Loaded.tsx';
import { useFormats } from '../messages/messages.ts';
import type { Named } from '../requests/lists.ts';
import { useOrganizationId } from '../session/organization.ts';
import { NewData } from './NewData.tsx';

/** Replaces the data of a dataset with a file that was sent already. */
export function ReplaceData({
  dataset,
  uploaded,
  onClose,
}: {
  dataset: Named;
  uploaded: { id: string; file: File };
  onClose: () => void;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const { data, error } = useAnswer('readDataset', { organizationId, datasetId: dataset.id });
  if (data?.dataFiles)
    return (
      <NewData
        dataset={data}
        files={data.dataFiles}
        mode="replace"
        uploaded={uploaded}
        onClose={onClose}
      />
    );
  const title = formatMessage('new_data.replace');
  return (
    <Dialog
      title={title}
      submit={title}
      isBusy={false}
      isDisabled
      error={error}
      onClose={onClose}
      onSubmit={() => {}}
    >
      {!error && <Loading />}
    </Dialog>
  );
}
