import { Modal } from '@mantine/core';

import { useAnswer } from '../api/queries.ts';
import { Loaded } from '../kit/Loaded.tsx';
import { useReturnFocus } from '../kit/use-return-focus.ts';
import { useFormats } from '../messages/messages.ts';
import { useOrganizationId } from '../session/organization.ts';
import { readDatasetText, textOf } from './dataset-text.ts';
import { DatasetDraft } from './DatasetDraft.tsx';
import { MetricForm } from './MetricForm.tsx';

/** Adds a metric to a dataset, in a dialog of the editor of a report. */
export function NewMetric({
  datasetId,
  onCreated,
  onClose,
}: {
  datasetId: string;
  onCreated: (name: string) => void;
  onClose: () => void;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  useReturnFocus();
  const dataset = useAnswer('readDataset', { organizationId, datasetId });
  return (
    <Modal.Root opened onClose={onClose} size="72rem">
      <Modal.Overlay />
      {/* The editor's keys for its history do not work in the dialog. */}
      <Modal.Content
        aria-label={formatMessage('builder.metric.new')}
        onKeyDown={(event) => event.stopPropagation()}
      >
        <Modal.Body p={0}>
          <Loaded query={dataset}>
            {(loaded) => (
              <DatasetDraft dataset={loaded} saved="builder.metric.saved">
                {(editing) => (
                  <MetricForm
                    dataset={loaded}
                    metric={undefined}
                    editing={{
                      ...editing,
                      save: (text, onSaved) =>
                        editing.save(text, () => {
                          onCreated(textOf(readDatasetText(text)?.metrics.at(-1), 'name'));
                          onSaved();
                        }),
                    }}
                    about="builder.metric.about_dialog"
                    onClose={onClose}
                  />
                )}
              </DatasetDraft>
            )}
          </Loaded>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
