import type { Result } from '../rules/index.ts';
import { countResults } from './report.ts';
import type { Report } from './report.ts';

// XML 1.0 allows no other control characters, not even as references.
const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const escape = (text: string): string =>
  text
    .replaceAll(notInXml, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

function formatCase(suite: string, { id, kind, section, expected, got }: Result): string {
  const open = `    <testcase classname="${escape(`${suite}.${section}`)}" name="${escape(`${id}: ${expected}`)}">`;
  const details = {
    passed: '',
    failed: `<failure message="${escape(got)}">${escape(`expected: ${expected}\ngot: ${got}`)}</failure>`,
    info: `<system-out>${escape(got)}</system-out>`,
    skipped: `<skipped message="${escape(got)}"/>`,
  };
  return `${open}${details[kind]}</testcase>`;
}

/** The reason why nothing could be checked, as JUnit XML. */
export const formatJunitError = (message: string): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites tests="1" failures="0" errors="1">',
    '  <testsuite name="conformance" tests="1" failures="0" errors="1">',
    `    <testcase classname="conformance" name="run"><error message="${escape(message)}"/></testcase>`,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');

/** A report as JUnit XML, for CI. Something that remains is a failure of its own. */
export function formatJunit(report: Report): string {
  const { subject, results, leftovers, durationMs } = report;
  const suite = `conformance.${subject}`;
  const all: Result[] = [
    ...results,
    ...leftovers.map((got, index) => ({
      id: `cleanup.${index + 1}`,
      section: 'Clean-up',
      expected: 'Everything that the check created is removed',
      kind: 'failed' as const,
      got,
    })),
  ];
  const { failed, skipped } = countResults({ ...report, results: all });
  const counts = `tests="${all.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${(durationMs / 1_000).toFixed(3)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${suite}" ${counts}>`,
    ...all.map((result) => formatCase(suite, result)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
