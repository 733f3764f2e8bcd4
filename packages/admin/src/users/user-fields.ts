import { pickUserChange, type UserChange, type UserDetails } from '../requests/users.ts';
import { fromLocalTime, toLocalTime } from './local-time.ts';

/** Values of the form of a user. */
export interface UserFields extends Omit<UserChange, 'version' | 'role' | 'expirationDate'> {
  role: string;
  /** Local date and time of an input element; empty for never. */
  expiry: string;
}

/** @param timeZone of the expiry */
export function toFields(user: UserDetails, timeZone: string): UserFields {
  const { version: _, role, expirationDate, ...fields } = pickUserChange(user);
  const expiry = expirationDate === null ? '' : toLocalTime(new Date(expirationDate), timeZone);
  return { ...fields, role: String(role), expiry };
}

/** The request that saves the fields. An expiry that was not changed keeps its seconds. */
export function toRequest(
  { expiry, role, ...fields }: UserFields,
  base: UserDetails,
  timeZone: string,
): UserChange {
  const isSame = expiry === toFields(base, timeZone).expiry;
  const given = expiry === '' ? null : fromLocalTime(expiry, timeZone).toISOString();
  return {
    ...fields,
    role: Number(role),
    expirationDate: isSame ? base.expirationDate : given,
    version: base.version,
  };
}
