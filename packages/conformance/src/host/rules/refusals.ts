import { errorTable, hostErrorCodes, problemTypePrefix } from '@portal-embed/contract';
import type { HostErrorCode } from '@portal-embed/contract';

import { describeAnswer, isSuccess, readJson } from '../../http/send.ts';
import type { Answer } from '../../http/send.ts';
import { fail } from '../../rules/index.ts';
import { hasUrl } from '../subject.ts';

interface AnyProblem {
  [field: string]: unknown;
}

/** Fails the rule if an answer gives a URL or anything but a refusal. */
export function requireRefused(answer: Answer): void {
  if (hasUrl(answer)) fail(`answers ${answer.status} with a URL`);
  if (isSuccess(answer) || answer.status >= 500 || answer.status < 400)
    fail(`answers ${describeAnswer(answer)}`);
}

/** The problem of an answer, if it is one. */
export function readProblem(answer: Answer): AnyProblem | undefined {
  const problem = readJson(answer);
  return typeof problem === 'object' && problem !== null ? (problem as AnyProblem) : undefined;
}

/** Fails the rule if an answer is not the refusal with this status and code. */
export function requireRefusedWith(answer: Answer, code: HostErrorCode): string {
  if (hasUrl(answer)) fail(`answers ${answer.status} with a URL`);
  const { status } = errorTable[code];
  if (answer.status !== status) fail(`answers ${describeAnswer(answer)}, not ${status} ${code}`);
  const found = readProblem(answer)?.['code'];
  if (found !== code) fail(`the code is ${JSON.stringify(found)}, not ${code}`);
  return `${status} ${code}`;
}

/** `unsupported_media_type` is no code for scripts: browsers do not compress bodies. */
const codes: readonly string[] = [...hostErrorCodes, 'unsupported_media_type'];

/** Fails the rule if an answer is not a problem of the contract. */
export function requireProblem(answer: Answer): string {
  const type = answer.headers['content-type'] ?? 'absent';
  if (!/^application\/problem\+json\s*(?:;|$)/i.test(type)) fail(`the content type is ${type}`);
  const problem = readProblem(answer);
  if (!problem) fail(`the body is not a JSON object: ${describeAnswer(answer)}`);
  for (const field of ['type', 'title', 'detail', 'code', 'requestId'])
    if (typeof problem[field] !== 'string' || problem[field] === '')
      fail(`${field} is ${JSON.stringify(problem[field])}`);
  const { code, status, requestId } = problem as { [field: string]: string };
  if ((status as unknown) !== answer.status)
    fail(`the field status is ${JSON.stringify(status)}, but the status is ${answer.status}`);
  if (!codes.includes(code!)) fail(`the code ${code} is not one of ${codes.join(', ')}`);
  if (problem['type'] !== problemTypePrefix + code)
    fail(`the type is ${JSON.stringify(problem['type'])}, not ${problemTypePrefix}${code}`);
  const header = String(answer.headers['x-request-id'] ?? 'absent');
  if (header !== requestId) fail(`X-Request-Id is ${header}, but requestId is ${requestId}`);
  return `${answer.status} ${code}`;
}

/** Fails the rule if an answer may be stored. */
export function requireNoStore(answer: Answer): void {
  const header = answer.headers['cache-control'] ?? '';
  if (!/(?:^|[\s,])no-store(?:$|[\s,])/i.test(header))
    fail(`a ${answer.status} has Cache-Control: ${header || 'absent'}`);
}
