import type { HostRule } from '../subject.ts';
import { methodRules, originRules, sessionRules } from './access.ts';
import { answerRules } from './answer.ts';
import { bodyRules } from './body.ts';

/** Every rule for host endpoints, in the order of the checks. */
export const hostRules: readonly HostRule[] = [
  ...methodRules,
  ...sessionRules,
  ...originRules,
  ...bodyRules,
  ...answerRules,
];
