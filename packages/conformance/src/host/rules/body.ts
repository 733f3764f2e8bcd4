import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import { describeAnswer, isSuccess, NoAnswer } from '../../http/send.ts';
import { fail, info, skip } from '../../rules/index.ts';
import type { HostPoint } from '../../rules/index.ts';
import { nonsense } from '../subject.ts';
import type { HostRequest, HostRule } from '../subject.ts';
import { readProblem, requireRefused, requireRefusedWith } from './refusals.ts';

/** A request that no user may send. */
const refused = (
  id: string,
  point: HostPoint,
  expected: string,
  createRequest: () => HostRequest,
): HostRule => ({
  id,
  covers: [point],
  expected,
  check: async (subject) => {
    subject.requireSession();
    const answer = await subject.send(createRequest());
    requireRefused(answer);
    return `refused with ${answer.status}`;
  },
});

/** A field with a value that is not valid. */
const invalidField = (
  id: string,
  point: HostPoint,
  field: string,
  value: () => unknown,
): HostRule => ({
  id,
  covers: [point],
  expected: 'The answer is 400 invalid_request and names the field',
  check: async (subject) => {
    subject.requireSession();
    const answer = await subject.send({ json: subject.body({ [field]: value() }) });
    const got = requireRefusedWith(answer, 'invalid_request');
    const { errors, detail } = readProblem(answer) ?? {};
    const named = JSON.stringify([errors, detail]).includes(field);
    return named ? got : fail(`${got}, but neither errors nor detail names ${field}`);
  },
});

/** A field that the host accepts, unless its policy does not allow it to this user. */
const acceptedField = (id: string, point: HostPoint, expected: string, more: object): HostRule => ({
  id,
  covers: [point],
  expected,
  check: async (subject) => {
    subject.requireSession();
    const answer = await subject.send({ json: subject.body(more) });
    if (isSuccess(answer)) return 'a URL';
    if (answer.status === 403 && readProblem(answer)?.['code'] === 'forbidden')
      return info('the policy does not allow this user to set it');
    return fail(`answers ${describeAnswer(answer)}`);
  },
});

const flags = ['hideMenu', 'hideNavbar', 'hideSidebar', 'embed'];
const filter = { key: 'Conformance/None', value: 'none' };
const createFilters = (length: number) =>
  Array.from({ length: 60 }, (_, index) => ({
    key: `Conformance/None ${index}`,
    value: 'x'.repeat(length),
  }));
const maxBodyBytes = 256 * 1024;

const contentTypes = {
  text: 'text/plain',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data; boundary=x',
};

export const bodyRules: HostRule[] = [
  ...Object.entries(contentTypes).map(([name, type]) =>
    refused(
      `body.type-${name}`,
      'body.json',
      `A body declared as ${type.split(';')[0]} is refused`,
      () => ({ headers: { 'Content-Type': type } }),
    ),
  ),
  refused('body.type-none', 'body.json', 'A body without a Content-Type is refused', () => ({
    headers: { 'Content-Type': '' },
  })),
  {
    id: 'body.type-charset',
    covers: ['body.json'],
    expected: 'application/json; charset=utf-8 is accepted',
    check: async (subject) => {
      await subject.mint({ headers: { 'Content-Type': 'application/json; charset=utf-8' } });
      return 'a URL';
    },
  },
  ...Object.entries({ broken: '{"embed": tru', list: '[]', text: '"text"', null: 'null' }).map(
    ([name, body]) =>
      refused(`body.json-${name}`, 'body.json', `The body ${body} is refused`, () => ({ body })),
  ),
  refused('body.json-deep', 'body.json', 'A body of 20,000 nested lists is refused', () => ({
    body: '['.repeat(20_000) + ']'.repeat(20_000),
  })),
  refused('body.compressed', 'body.json', 'A compressed body is refused', () => ({
    body: gzipSync('{}'),
    headers: { 'Content-Encoding': 'gzip' },
  })),
  {
    id: 'body.size',
    covers: ['body.size'],
    expected: 'A body of more than 256 kB is refused',
    check: async (subject) => {
      subject.requireSession();
      const value = 'x'.repeat(maxBodyBytes + 50_000);
      const json = subject.body({ customFilters: [{ ...filter, value }] });
      const answer = await subject.send({ json }).catch((error: unknown) => {
        // A server may close the connection instead of reading on.
        if (error instanceof NoAnswer && /ECONNRESET|EPIPE/.test(error.message)) return undefined;
        throw error;
      });
      if (!answer) return 'the connection is closed';
      requireRefused(answer);
      return `refused with ${answer.status}`;
    },
  },
  ...['userEmail', 'organizationId', 'baseUrl', 'apiKey', 'conformanceUnknown'].map((field) =>
    invalidField(
      `body.unknown-${field}`,
      field === 'conformanceUnknown' ? 'body.fields' : 'session.fromSession',
      field,
      () =>
        field === 'organizationId'
          ? randomUUID()
          : field === 'baseUrl'
            ? 'https://other.example'
            : `${nonsense()}@example.com`,
    ),
  ),
  ...Object.entries({ text: 'no-uuid', number: 7, list: [randomUUID()] }).map(([name, value]) =>
    invalidField(`body.reportId-${name}`, 'body.reportId', 'reportId', () => value),
  ),
  {
    id: 'body.reportId',
    covers: ['body.reportId'],
    expected: 'With the reportId of a report, embedUrl has a returnUrl',
    check: async (subject) => {
      if (subject.options.reportId === undefined) skip('needs a report of the user; pass --report');
      const { result } = await subject.mint();
      const text = String(result['embedUrl']);
      if (!URL.canParse(text) || !new URL(text).searchParams.get('returnUrl'))
        fail('embedUrl has no returnUrl');
      return 'a URL with returnUrl';
    },
  },
  {
    id: 'body.reportId-unknown',
    covers: ['body.reportId', 'answer.policy'],
    expected: 'Not specified: a report that does not exist',
    check: async (subject) => {
      subject.requireSession();
      const answer = await subject.send({ json: { reportId: randomUUID() } });
      const { code } = readProblem(answer) ?? {};
      return info(`answers ${answer.status}${typeof code === 'string' ? ` ${code}` : ''}`);
    },
  },
  ...flags.map((flag) =>
    acceptedField(`body.${flag}`, 'body.flags', `${flag}: true is accepted`, { [flag]: true }),
  ),
  acceptedField(
    'body.flags-false',
    'body.flags',
    'false is accepted for each flag',
    Object.fromEntries(flags.map((flag) => [flag, false])),
  ),
  ...flags.map((flag) => invalidField(`body.${flag}-text`, 'body.flags', flag, () => 'true')),
  acceptedField('body.customFilters', 'body.customFilters', 'A custom filter is accepted', {
    customFilters: [filter],
  }),
  acceptedField(
    'body.customFilters-many',
    'body.customFilters',
    '60 filters with 15 kB in total are accepted',
    { customFilters: createFilters(200) },
  ),
  ...Object.entries({
    object: { Region: 'West' },
    text: 'Region=West',
    'no-value': [{ key: filter.key }],
    'number-value': [{ key: filter.key, value: 7 }],
    'empty-key': [{ key: '', value: filter.value }],
    'unknown-field': [{ ...filter, operator: 'not' }],
    'too-many': Array.from({ length: 101 }, () => filter),
    'too-large': createFilters(300),
  }).map(([name, value]) =>
    invalidField(`body.customFilters-${name}`, 'body.customFilters', 'customFilters', () => value),
  ),
];
