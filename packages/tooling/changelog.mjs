/** The upgrade notes of each release are in the entries of the portal. */
const introduction = ({ version, commit, oldestRelease }) => `# Changelog

The portal ${version}, commit ${commit.slice(0, 7)}.

Before you upgrade, read the entries of \`@portal-embed/portal\` from your version to this one: they say what to do first. Then back up the database, and run \`portal migrate\` of the new release. Instances of the latest published release keep serving meanwhile.

A downgrade works as long as the database's schema says so: each migration records the oldest release that works with the schema after it. The schema of this release works with release ${oldestRelease} and later. Start such a release, and leave the database as it is. With an older release, \`portal serve\`, \`portal migrate\` and all other commands change nothing and stop with \`portal_outdated\`; the message names the release to install. To go back further, restore a backup from before the upgrade.
`;

/** Moves the headings of a package's changelog one level down. */
const demote = (text) => text.trim().replaceAll(/^#/gm, '##');

/** The packages and the text of a file that `npx changeset` has written. */
function readChangeset(text) {
  const [, head, body] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text);
  const packages = [...head.matchAll(/^['"]?([^'":]+)['"]?:/gm)].map(([, name]) => name);
  return `### ${packages.map((name) => `\`${name}\``).join(', ')}\n\n${body.trim()}\n`;
}

const describePending = (changesets) =>
  changesets.length === 0
    ? []
    : [
        '## Changes without a version\n',
        'This commit contains these changes, but `npx changeset version` has not given them a version yet.\n',
        ...changesets.map(readChangeset),
      ];

/**
 * Returns the changelog of a release in Markdown: how to upgrade and downgrade, then the changes of each
 * package.
 *
 * @param release `version` and `commit` of the portal; `oldestRelease`, which works with its schema
 * @param changelogs the texts that `npx changeset version` writes, one for each package
 * @param changesets the files that it has not read yet
 */
export const renderChangelog = (release, changelogs, changesets) =>
  [
    introduction(release),
    ...describePending(changesets),
    ...changelogs.map((text) => `${demote(text)}\n`),
  ].join('\n');
