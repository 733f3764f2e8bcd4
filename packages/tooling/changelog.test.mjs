import { expect, it } from 'vitest';

import { renderChangelog } from './changelog.mjs';

const release = {
  version: '0.3.0',
  commit: 'abcdef0123456789abcdef0123456789abcdef01',
  oldestRelease: '0.2.0',
};
const changelogs = [
  '# @portal-embed/portal\n\n## 0.3.0\n\n### Minor Changes\n\n- abcdef0: Before you upgrade, back up.\n\n  ```sh\n  # a comment\n  ```\n',
  '# @portal-embed/react\n\n## 0.1.1\n',
];

it('the changelog says how to upgrade and downgrade, then lists the changes of each package', () => {
  const text = renderChangelog(release, changelogs, []);
  expect(text).toContain('The portal 0.3.0, commit abcdef0.\n');
  expect(text).toContain('The schema of this release works with release 0.2.0 and later.');
  expect(text.match(/^#.*$/gm)).toEqual([
    '# Changelog',
    '## @portal-embed/portal',
    '### 0.3.0',
    '#### Minor Changes',
    '## @portal-embed/react',
    '### 0.1.1',
  ]);
  expect(text).toContain('- abcdef0: Before you upgrade, back up.\n\n  ```sh\n  # a comment\n');
});

it('the changelog lists changesets that have no version yet', () => {
  const changeset =
    "---\n'@portal-embed/portal': minor\n'@portal-embed/react': patch\n---\n\nA change.\n\nAnd more.\n";
  const text = renderChangelog(release, changelogs, [changeset]);
  expect(text).toContain('## Changes without a version\n');
  expect(text).toContain(
    '### `@portal-embed/portal`, `@portal-embed/react`\n\nA change.\n\nAnd more.\n\n## @portal-embed/portal\n',
  );
});
