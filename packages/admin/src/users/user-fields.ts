import type { UserDetails } from '../requests/users.ts';
import { fromLocalTime, toLocalTime } from './local-time.ts';

/** Values of the form of a user. */
export interface UserFields {
  name: string;
  role: string;
  department: string;
  /** Local date and time of an input element; empty for never. */
  expiry: string;
  reportLandingPage: string | null;
  companies: string[];
  canEditReport: boolean;
  canCreateReport: boolean;
  canOverwriteReport: boolean;
}

/** @param timeZone of the expiry */
export const toFields = (user: UserDetails, timeZone: string): UserFields => ({
  name: user.name,
  role: String(user.role),
  department: user.department,
  expiry: user.expirationDate === null ? '' : toLocalTime(new Date(user.expirationDate), timeZone),
  reportLandingPage: user.reportLandingPage,
  companies: user.companies,
  canEditReport: user.canEditReport,
  canCreateReport: user.canCreateReport,
  canOverwriteReport: user.canOverwriteReport,
});

/** The request that saves the fields. An expiry that was not changed keeps its seconds. */
export function toRequest(
  { expiry, role, ...fields }: UserFields,
  base: UserDetails,
  timeZone: string,
) {
  const isSame = expiry === toFields(base, timeZone).expiry;
  const given = expiry === '' ? null : fromLocalTime(expiry, timeZone).toISOString();
  return {
    ...fields,
    role: Number(role),
    expirationDate: isSame ? base.expirationDate : given,
    version: base.version,
  };
}
