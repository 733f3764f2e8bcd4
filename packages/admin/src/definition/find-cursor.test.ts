import { expect, it } from 'vitest';

import { findCursor } from './find-cursor.ts';

/** The YAML path at the cursor `|`. */
const cursorIn = (text: string) => findCursor(text.slice(0, text.indexOf('|')).split('\n'));

it.each([
  ['na|', { path: [], key: undefined }],
  ['name: |', { path: [], key: 'name' }],
  ['name: x\nfilters:\n  - field: R|', { path: ['filters', '[]'], key: 'field' }],
  ['filters:\n- field: R|', { path: ['filters', '[]'], key: 'field' }],
  [
    'pages:\n  - name: One\n    rows:\n      - tiles:\n          - type: kpi\n            |',
    { path: ['pages', '[]', 'rows', '[]', 'tiles', '[]'], key: undefined, type: 'kpi' },
  ],
  [
    'rows:\n  - tiles:\n      - type: bar\n        x: A\n      - type: line\n        color: |',
    { path: ['rows', '[]', 'tiles', '[]'], key: 'color', type: 'line' },
  ],
  ['tiles:\n  - type: k|', { path: ['tiles', '[]'], key: 'type', type: undefined }],
  ['tiles:\n  - name: A\n    type: k|', { path: ['tiles', '[]'], key: 'type', type: undefined }],
  [
    'tiles:\n  - type: kpi\n    name: A\n    |',
    { path: ['tiles', '[]'], key: undefined, type: 'kpi' },
  ],
  [
    'tiles:\n  - type: kpi\n    link:\n      |',
    { path: ['tiles', '[]', 'link'], key: undefined, type: undefined },
  ],
  ['dimensions:\n  - Region\n  - |', { path: ['dimensions', '[]'], key: undefined }],
  ['source:\n  # where\n  fi|', { path: ['source'], key: undefined }],
])('the YAML path at the cursor in %j is found', (text, place) => {
  expect(cursorIn(text)).toMatchObject(place);
});
