import { Button } from '@mantine/core';
import { createContext, lazy, Suspense, use, useState } from 'react';

import { useFormats } from '../../messages/messages.ts';

const NewMetric = lazy(() =>
  import('../../builders/NewMetric.tsx').then((module) => ({ default: module.NewMetric })),
);

/** The dataset to which the person may add metrics; `undefined` if there is none. */
export const MetricDatasetContext = createContext<string | undefined>(undefined);

/** Adds a metric to the report's dataset, and to the field below which it stands. */
export function NewMetricButton({ onCreated }: { onCreated: (name: string) => void }) {
  const { formatMessage } = useFormats();
  const datasetId = use(MetricDatasetContext);
  const [isOpen, setIsOpen] = useState(false);
  if (datasetId === undefined) return null;
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        className="new-metric"
        onClick={() => setIsOpen(true)}
      >
        {formatMessage('builder.metric.new')}
      </Button>
      {isOpen && (
        <Suspense>
          <NewMetric datasetId={datasetId} onCreated={onCreated} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
