import {
  addUser,
  newId,
  type AuditEntry,
  type Dataset,
  type PortalState,
  type Report,
} from './state.ts';

/**
 * A new portal: 45 users (three pages), two reports over one dataset, two row-level-security
 * roles, a group and a log of two pages. `ana@meridian.example` opens both reports and sees West only;
 * `bruno@meridian.example` opens "Orders" and sees everything through his group.
 */
export function seed(): PortalState {
  const dataset: Dataset = {
    id: newId(),
    rows: [
      { Region: 'West', City: 'Belém', Amount: 120 },
      { Region: 'West', City: 'Manaus', Amount: 80 },
      { Region: 'East', City: 'Curitiba', Amount: 210 },
      { Region: 'East', City: 'Pelotas', Amount: 45 },
    ],
  };
  const workspace = { workspaceId: newId(), workspaceName: 'Sales' };
  const report = (name: string, description: string | null): Report => ({
    id: newId(),
    name,
    description,
    datasetId: dataset.id,
    ...workspace,
  });
  const orders = report('Orders', 'Orders by city');
  const stock = report('Stock', null);
  const managers = { id: newId(), name: 'Managers' };
  const history = Array.from({ length: 25 }, (_, index): AuditEntry => ({
    id: newId(),
    createdAt: new Date(Date.UTC(2024, 0, 1 + index, 9, 30)),
    userId: newId(),
    userEmail: 'former@meridian.example',
    reportId: orders.id,
    reportName: orders.name,
    ...(index % 5 === 4
      ? { action: 7, actionName: 'ReportPrinted' }
      : { action: 1, actionName: 'TokenRequested' }),
  }));
  const state: PortalState = {
    organizationId: newId(),
    subdomain: 'meridian',
    users: [],
    groups: [managers],
    datasets: [dataset],
    reports: [orders, stock],
    roles: [],
    audit: history,
    tokens: new Map(),
    sessions: new Map(),
  };
  const ana = addUser(state, {
    email: 'ana@meridian.example',
    name: 'Ana Prado',
    role: 3,
    department: 'Field sales',
    reports: new Set([orders.id, stock.id]),
  });
  addUser(state, {
    email: 'bruno@meridian.example',
    name: 'Bruno Reis',
    role: 1,
    reports: new Set([orders.id]),
    groups: new Set([managers.id]),
    expirationDate: new Date('2099-12-31T23:59:59Z'),
  });
  for (let number = 3; number <= 45; number += 1)
    addUser(state, { email: `user${number}@meridian.example`, name: `User ${number}`, role: 3 });
  state.roles.push(
    {
      id: newId(),
      name: 'West',
      datasetId: dataset.id,
      column: 'Region',
      values: ['West'],
      users: new Set([ana.id]),
      groups: new Set(),
    },
    {
      id: newId(),
      name: 'Everywhere',
      datasetId: dataset.id,
      column: 'Region',
      values: ['West', 'East'],
      users: new Set(),
      groups: new Set([managers.id]),
    },
  );
  return state;
}
