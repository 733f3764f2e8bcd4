import { z } from 'zod';

const organizationId = '3f2a7c10-58de-4b1c-9a64-0d1e8b7f2c91';
const reportId = '1c9f5b7e-4a30-4d7f-8f0e-2b6a9d3c8e47';

/** Values that several examples share, so that they describe the same user and report. */
export const sample = {
  organizationId,
  reportId,
  reportName: 'Sales by region',
  reportPath: `/organizations/${organizationId}/reports/${reportId}`,
  reportFile:
    'name: Sales by region\nworkspace: Superstore\ndataset: orders\npages:\n  - name: Overview\n    rows:\n      - tiles:\n          - type: kpi\n            metric: Sales\n',
  portalAddress: 'https://acme.portal.example',
  workspaceName: 'Superstore',
  datasetId: 'd4e8b2a6-7f15-4c39-9b0a-6e3c1f8d5a74',
  groupId: '90c6a3f4-2f4e-4b7d-a0f5-7c9d3f6e1b52',
  roleName: 'West',
  userId: 'b7d0c1de-6c0f-4a58-8c43-1f0b6f1f9a20',
  userEmail: 'west@acme.example',
  userName: 'Wendy West',
};

/**
 * The example of a schema: `example` of its metadata, or one put together from the examples of its
 * fields. A field without an example is left out.
 */
export function exampleOf<Schema extends z.ZodType>(schema: Schema): z.input<Schema> {
  return findExample(schema) as z.input<Schema>;
}

function findExample(schema: z.core.$ZodType): unknown {
  const example = z.globalRegistry.get(schema)?.['example'];
  if (example !== undefined) return example;
  if (schema instanceof z.ZodArray) return [findExample(schema.element)];
  if (!(schema instanceof z.ZodObject)) return undefined;
  const fields = Object.entries(schema.shape);
  return Object.fromEntries(
    fields
      .map(([name, field]) => [name, findExample(field)] as const)
      .filter(([, value]) => value !== undefined),
  );
}
