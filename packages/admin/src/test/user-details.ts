import type { UserDetails } from '../requests/users.ts';

/** A viewer without links, whose access ends. */
export const userDetails: UserDetails = {
  id: 'u1',
  email: 'west@acme.example',
  name: 'West',
  role: 3,
  department: 'Sales',
  expirationDate: '2026-12-31T23:59:58.000Z',
  reportLandingPage: null,
  directoryAdUser: null,
  canEditReport: false,
  canCreateReport: false,
  canOverwriteReport: false,
  companies: [],
  version: 'v1',
  groups: [],
  reports: [],
  totalReports: 0,
  roles: [],
  signIn: 'none',
};
