import type { User } from '@portal-embed/contract';

import { presentColumns, type PresentedFields } from '../db/query/column-map.ts';
import { userColumns, type UserRow } from './user-columns.ts';

export const presentUser = (row: UserRow): PresentedFields<UserRow, typeof userColumns> =>
  presentColumns(userColumns, row) satisfies Required<User>;
