import type { z } from 'zod';

import { userEndpoints, type UserChange, type UserDetails } from '../requests/users.ts';

const { shape } = userEndpoints.updateUser.body;
const fields = Object.entries(shape as Record<string, z.ZodType>);

/** The request that changes nothing of the user below, from the examples of its fields. */
export const userChange = {
  ...Object.fromEntries(fields.map(([name, schema]) => [name, schema.meta()?.['example']])),
  name: 'West',
} as object as UserChange;

/** A viewer without links, whose access ends. */
export const userDetails: UserDetails = {
  ...userChange,
  id: 'u1',
  email: 'west@acme.example',
  directoryAdUser: null,
  groups: [],
  reports: [],
  totalReports: 0,
  roles: [],
  signIn: 'none',
};
