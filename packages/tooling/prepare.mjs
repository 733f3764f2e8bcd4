/**
 * Installs and builds what is not there yet or out of date. Runs on bare Node: nothing here may
 * import a dependency.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

const { packageManager } = JSON.parse(
  fs.readFileSync(path.join(repository, 'package.json'), 'utf8'),
);

/** What Vite builds, and from what: `sources` are folders of the repository. */
const pages = [
  {
    name: "the portal's pages",
    folder: 'packages/portal',
    sources: [
      'packages/portal/web',
      'packages/portal/wire',
      'packages/contract/src',
      'packages/report-model/src',
    ],
    output: 'packages/portal/dist/web',
  },
  {
    name: "the example's page",
    folder: 'examples/express-react',
    sources: ['examples/express-react/web', 'packages/react/src', 'packages/contract/src'],
    output: 'examples/express-react/dist/page',
  },
];

/** Runs a command in the repository, quietly; its output is shown when it fails. */
function run(command, args, folder = '.') {
  const cwd = path.join(repository, folder);
  // NODE_ENV would decide whether pnpm installs what builds, and for what React is built.
  const { NODE_ENV: _, ...env } = process.env;
  const result = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (result.status === 0) return;
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error ?? ''}\n`);
  console.error(`\`${[command, ...args].join(' ')}\` failed; see above.`);
  process.exit(1);
}

/** Does `work` unless `stamp` says that it was done for the same `input`. */
function unlessDone(stamp, input, title, work) {
  const file = path.join(repository, stamp);
  const digest = createHash('sha256').update(input).digest('hex');
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === digest) return;
  console.error(`${title} …`);
  work();
  fs.writeFileSync(file, digest);
}

/** Name, size and time of every file below a folder: changes when any of them does. */
function describeFolder(folder) {
  const entries = fs.readdirSync(path.join(repository, folder), {
    recursive: true,
    withFileTypes: true,
  });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tsbuildinfo'))
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const { size, mtimeMs } = fs.statSync(file);
      return `${file} ${size} ${mtimeMs}`;
    })
    .toSorted()
    .join('\n');
}

export function install() {
  const lockfile = fs.readFileSync(path.join(repository, 'pnpm-lock.yaml'));
  unlessDone('node_modules/.installed', lockfile, 'Installing packages', () =>
    run('npx', ['-y', packageManager, 'install', '--frozen-lockfile']),
  );
}

export function build() {
  const bin = (name) => path.join(repository, 'node_modules/.bin', name);
  run(bin('tsc'), ['-b', 'packages/tooling/tsconfig.build.json']);
  for (const { name, folder, sources, output } of pages) {
    const input = [`${folder}/vite.config.ts`]
      .map((file) => fs.readFileSync(path.join(repository, file), 'utf8'))
      .concat(
        sources.map(describeFolder),
        fs.readFileSync(path.join(repository, 'pnpm-lock.yaml'), 'utf8'),
      )
      .join('\n');
    unlessDone(`${output}/.built`, input, `Building ${name}`, () =>
      run(bin('vite'), ['build', '--logLevel', 'warn'], folder),
    );
  }
}
