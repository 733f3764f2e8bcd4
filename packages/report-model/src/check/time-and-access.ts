import { describeType, isTime } from '../expression/types.ts';
import type { Dataset } from '../files/dataset.ts';
import type { Issue } from '../issues/issue.ts';
import { describeUnknown } from '../issues/nearest.ts';
import type { Found } from './resolve-names.ts';
import type { ResolvedField } from './resolved.ts';
import { isTimeZone } from './time-zone.ts';

/** Checks the time of a dataset and its time zone. */
export function checkTime(
  { time, timeZone }: Pick<Dataset, 'time' | 'timeZone'>,
  find: (name: string) => Found<ResolvedField>,
): Issue[] {
  const issues: Issue[] = [];
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    const advice = 'write an IANA name, such as Europe/Berlin';
    const known = Intl.supportedValuesOf('timeZone');
    const message = describeUnknown('time zone', timeZone, known, advice);
    issues.push({ path: ['timeZone'], message });
  }
  if (time === undefined) return issues;
  const field = find(time);
  if (typeof field === 'string') issues.push({ path: ['time'], message: field });
  else if (field && !isTime(field.type))
    issues.push({
      path: ['time'],
      message: `time must be a date, but ${JSON.stringify(time)} is ${describeType(field.type)}; write another field, or give this one "type: date"`,
    });
  return issues;
}

export const checkRowAccess = ({
  rowAccess,
  roles,
}: Pick<Dataset, 'rowAccess' | 'roles'>): Issue[] =>
  rowAccess === 'everyone' && roles.length > 0
    ? [
        {
          path: ['rowAccess'],
          message:
            'rowAccess: everyone shows all rows to every reader, so the roles have no effect; remove rowAccess or the roles',
        },
      ]
    : [];
