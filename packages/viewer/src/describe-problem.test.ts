import { ServiceError } from 'page-kit/service-error';
import { expect, it } from 'vitest';

import { describeProblem } from './describe-problem.ts';
import { formats } from './test/formats.ts';

it('a problem of the service has its text from the page', () => {
  expect(describeProblem(new ServiceError('overloaded'), formats)).toEqual({
    title: 'Too many reports are being computed',
    advice: 'Try again in a few seconds.',
  });
});

it('a problem that no reader can act on has the text of an internal error', () => {
  const texts = describeProblem(new ServiceError('unsupported_media_type'), formats);
  expect(texts).toEqual(describeProblem(new ServiceError('internal_error'), formats));
});

it('refused filters are named', () => {
  const problem = new ServiceError('filters_not_applied', { filters: ['Planet', 'Moon'] });
  expect(describeProblem(problem, formats).advice).toBe(
    'It has no column for these filters: Planet and Moon. Contact your administrator.',
  );
});

it('an unavailable data source has its own text', () => {
  const problem = new ServiceError('report_failed', { reason: 'unavailable' });
  expect(describeProblem(problem, formats).title).toBe('The data source is unavailable');
});

it('a report whose data is not on the instance yet is not a case for the administrator', () => {
  const problem = new ServiceError('report_failed', { reason: 'not_fetched' });
  expect(describeProblem(problem, formats)).toEqual({
    title: 'The data of this report is not available yet',
    advice: 'Try again in a few seconds.',
  });
});

it.each([
  'unreachable',
  'report_failed',
  'report_not_accessible',
  'filters_not_applied',
  'rate_limited',
  'overloaded',
  'database_unavailable',
] as const)('the problem %s has a title of its own', (code) => {
  const { title } = describeProblem(new ServiceError(code), formats);
  expect(title).toBe(formats.formatMessage(`problem.${code}.title`));
  expect(title).not.toBe(formats.formatMessage('problem.internal_error.title'));
});
