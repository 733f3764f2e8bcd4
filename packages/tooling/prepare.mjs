/**
 * Installs and builds what is missing or out of date. Runs on bare Node, so it must not import a
 * dependency.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

export const readManifest = (folder) =>
  JSON.parse(fs.readFileSync(path.join(repository, folder, 'package.json'), 'utf8'));

export const { packageManager } = readManifest('.');

/** The packages that are published: name, version and folder of each. */
export const publicPackages = () =>
  fs
    .readdirSync(path.join(repository, 'packages'))
    .map((name) => `packages/${name}`)
    .filter((folder) => fs.existsSync(path.join(repository, folder, 'package.json')))
    .filter((folder) => !readManifest(folder).private)
    .map((folder) => {
      const { name, version } = readManifest(folder);
      return { name, version, folder };
    });

/**
 * The outputs of Vite. `sources` are the folders of the repository that they are built from. `npm start`
 * builds the `programs` and the `pages`; `npm run portal` builds those of the portal.
 */
const pagesOfPortal = [
  'packages/page-kit/src',
  'packages/viewer/src',
  'packages/admin/src',
  'packages/admin/dev',
  'packages/platform-powerbi/page',
  'packages/docs/guides',
  'packages/contract/src',
  'packages/report-model/src',
];
const bundles = [
  {
    name: 'the script of the custom element',
    folder: 'packages/react',
    sources: ['packages/react/src', 'packages/contract/src'],
    output: 'packages/react/dist',
  },
  {
    name: "the portal's pages",
    folder: 'packages/portal',
    use: 'pages',
    sources: pagesOfPortal,
    output: 'packages/portal/dist/web',
  },
  {
    // It takes three times as long as the pages, so a demo on one machine goes without.
    name: "the portal's compressed pages",
    folder: 'packages/portal',
    config: 'compress-pages.mjs',
    command: [process.execPath, 'compress-pages.mjs'],
    sources: pagesOfPortal,
    output: 'packages/portal/dist/web',
    stamp: '.compressed',
  },
  {
    name: "the portal's programs",
    folder: 'packages/portal',
    use: 'programs',
    config: 'vite.programs.config.ts',
    sources: [
      'packages/portal/src',
      'packages/platform/src',
      'packages/platform-powerbi/src',
      'packages/server-kit/src',
      'packages/report-engine/src',
      'packages/viewer/src/requests',
      'packages/admin/src/requests',
      'packages/contract/src',
      'packages/report-model/src',
    ],
    output: 'packages/portal/dist/programs',
  },
  {
    name: "the example's programs",
    folder: 'examples/express-react',
    use: 'programs',
    config: 'vite.programs.config.ts',
    sources: [
      'examples/express-react/src',
      'examples/demo-data/src',
      'packages/contract/src',
      'packages/client/src',
      'packages/host/src',
      'packages/express/src',
    ],
    output: 'examples/express-react/dist/programs',
  },
  {
    name: "the example's page",
    folder: 'examples/express-react',
    use: 'pages',
    sources: ['examples/express-react/web', 'packages/react/src', 'packages/contract/src'],
    output: 'examples/express-react/dist/page',
  },
  {
    name: 'the page of the Vue example',
    folder: 'examples/vue',
    sources: ['examples/vue/web', 'packages/react/src', 'packages/contract/src'],
    output: 'examples/vue/dist/page',
  },
];

/** The build of the example for Next.js, which only its own tests need. */
const nextExample = {
  name: 'the example for Next.js',
  folder: 'examples/nextjs',
  config: 'next.config.ts',
  files: ['proxy.ts'],
  command: ['node_modules/.bin/next', 'build'],
  sources: [
    'examples/nextjs/app',
    'examples/nextjs/lib',
    'packages/host/src',
    'packages/react/src',
    'packages/contract/src',
  ],
  output: 'examples/nextjs/.next',
  stamp: '.built',
};

const execute = promisify(execFile);

/** The commands that are running. They end with this process. */
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill()));

/** Runs a command in the repository and returns its output. Prints the output only if it fails. */
export async function run(command, args, folder = '.') {
  const cwd = path.resolve(repository, folder);
  // NODE_ENV would decide whether pnpm installs the build tools, and which React is bundled.
  const { NODE_ENV: _, ...env } = process.env;
  const execution = execute(command, args, { cwd, env, maxBuffer: Infinity });
  running.add(execution.child);
  try {
    return (await execution).stdout;
  } catch ({ stdout = '', stderr = '', message }) {
    console.error(stdout || stderr ? `${stdout}${stderr}` : message);
    console.error(`\`${[command, ...args].join(' ')}\` failed; see above.`);
    process.exit(1);
  } finally {
    running.delete(execution.child);
  }
}

/** Runs `work` unless the file `stamp` contains the digest of `input`. */
async function unlessDone(stamp, input, title, work) {
  const file = path.join(repository, stamp);
  const digest = createHash('sha256').update(input).digest('hex');
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === digest) return;
  console.error(`${title} …`);
  await work();
  fs.writeFileSync(file, digest);
}

/** Returns the name, size and time of every file below a folder. */
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

const allStamp = 'node_modules/.installed';
const startStamp = 'node_modules/.installed-start';
const exists = (name) => fs.existsSync(path.join(repository, name));

async function installPackages(stamp, ...options) {
  const lockfile = fs.readFileSync(path.join(repository, 'pnpm-lock.yaml'));
  await unlessDone(stamp, lockfile, 'Installing packages', () =>
    run('npx', ['-y', packageManager, 'install', '--frozen-lockfile', ...options]),
  );
}

/** Installs the packages of all workspaces. */
export async function install() {
  // Before, because an interrupted installation leaves nothing that works.
  fs.rmSync(path.join(repository, startStamp), { force: true });
  await installPackages(allStamp);
}

/**
 * Installs what `npm start` builds and runs with, a third of all: the `dependencies` of the root, and
 * theirs. A clone in which everything is installed stays so.
 */
export async function installForStart() {
  const isLight = exists(startStamp) || !exists('node_modules/.modules.yaml');
  if (isLight) await installPackages(startStamp, '--prod', '--filter-prod', 'portal-embed...');
  else await install();
}

/** Installs ClickHouse as a library. No package depends on it, because it is 543 MB. */
export async function installChdb() {
  const [sources, folder] = ['packages/tooling/chdb', 'node_modules/.chdb'];
  const lockfile = fs.readFileSync(path.join(repository, sources, 'package-lock.json'));
  fs.cpSync(path.join(repository, sources), path.join(repository, folder), { recursive: true });
  await unlessDone(`${folder}/.installed`, lockfile, 'Installing chdb', () =>
    // Not `npm ci`, which refuses a lockfile without the libraries of other systems.
    run('npm', ['install', '--no-audit', '--no-fund'], folder),
  );
}

/**
 * Packs all public packages into a folder, as they would be published. Returns their descriptions with
 * the names of their tarballs.
 *
 * @param onPacked called with the name of each tarball when it is written
 */
export async function packPackages(target, onPacked = () => {}) {
  const packed = publicPackages().map(({ name, version, folder }) => ({
    name,
    version,
    folder,
    file: `${name.replace('@', '').replace('/', '-')}-${version}.tgz`,
  }));
  for (const { folder, file } of packed) {
    await run('npx', ['-y', packageManager, 'pack', '--pack-destination', target], folder);
    onPacked(file);
  }
  return packed;
}

/** Builds everything that is out of date. */
export const build = () => buildWithLibraries(bundles);

/** Builds what the public packages contain, without the pages of the examples. */
export const buildPackages = () =>
  buildWithLibraries(bundles.filter(({ folder }) => folder.startsWith('packages/')));

const buildWithLibraries = (outputs) =>
  // At the same time, because Vite bundles sources and needs no built library.
  withLock(() => Promise.all([buildLibraries(), buildBundles(outputs)]));

/**
 * Builds what `npm start` or `npm run portal` runs, from sources, so that the compiler is not needed.
 *
 * @param use `programs` or `pages`
 * @param folders the packages whose programs or pages are built; default all
 */
export const buildFor = (use, folders = ['packages/portal', 'examples/express-react']) =>
  withLock(() =>
    buildBundles(bundles.filter((each) => each.use === use && folders.includes(each.folder))),
  );

/** Waits for a build of another process, because tests start several. */
async function withLock(work) {
  const lock = path.join(repository, 'node_modules/.building');
  while (!takeLock(lock)) await delay(100);
  try {
    await work();
  } finally {
    fs.rmSync(lock);
  }
}

/** Takes the lock unless a running process holds it. Removes the lock of a process that has ended. */
function takeLock(file) {
  try {
    fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EACCES') {
      console.error(
        `This user may not write to ${repository}, so nothing can be built there. Run the command as the owner of the folder, with sudo -u.`,
      );
      process.exit(1);
    }
    if (error.code !== 'EEXIST') throw error;
  }
  try {
    // The file is empty until its creator writes the id. Signal 0 only checks that the process is alive.
    const holder = Number(fs.readFileSync(file, 'utf8'));
    if (holder) process.kill(holder, 0);
  } catch (error) {
    if (error.code === 'ESRCH') fs.rmSync(file, { force: true });
  }
  return false;
}

const bin = (name) => path.join(repository, 'node_modules/.bin', name);
const libraries = 'packages/tooling/tsconfig.build.json';

async function buildLibraries() {
  const { references } = JSON.parse(fs.readFileSync(path.join(repository, libraries), 'utf8'));
  for (const reference of references)
    dropStaleOutput(path.dirname(path.join(repository, path.dirname(libraries), reference.path)));
  for (const name of ['platform', 'platform-powerbi', 'report-engine', 'server-kit'])
    dropStaleOutput(path.join(repository, 'packages', name), {
      output: path.join(repository, 'packages/portal/dist/packages', name),
      declaration: /\.d\.ts$/,
    });
  await run(bin('tsc'), ['-b', libraries]);
}

/**
 * tsc keeps the output of a deleted source, and does not notice that an output is missing. Packages
 * that are compiled into another one have no maps, which show what is the output of that one itself.
 */
function dropStaleOutput(
  folder,
  { output = path.join(folder, 'dist'), declaration = /\.d\.ts\.map$/ } = {},
) {
  const list = (name, ending) =>
    fs.existsSync(name)
      ? fs
          .readdirSync(name, { recursive: true })
          .filter((file) => ending.test(file))
          .map((file) => file.replace(ending, ''))
      : [];
  const built = list(output, declaration);
  const sources = list(path.join(folder, 'src'), /(?<!\.test)\.tsx?$/);
  for (const file of built)
    if (!sources.includes(file))
      for (const ending of ['.js', '.js.map', '.d.ts', '.d.ts.map'])
        fs.rmSync(path.join(output, file + ending), { force: true });
  if (sources.some((file) => !fs.existsSync(path.join(output, `${file}.js`))))
    for (const info of [
      path.join(folder, 'tsconfig.build.tsbuildinfo'),
      path.join(output, 'tsconfig.tsbuildinfo'),
    ])
      fs.rmSync(info, { force: true });
}

async function buildBundles(outputs) {
  for (const { config = 'vite.config.ts', ...output } of outputs) {
    const vite = [bin('vite'), 'build', `--config=${config}`, '--logLevel=warn'];
    await buildOutput({ command: vite, stamp: '.built', ...output, config });
  }
}

export const buildNextExample = () => buildOutput(nextExample);

async function buildOutput({
  name,
  folder,
  config,
  files = [],
  sources,
  output,
  stamp,
  command: [program, ...args],
}) {
  const input = [...[config, ...files].map((file) => `${folder}/${file}`), 'pnpm-lock.yaml']
    .map((file) => fs.readFileSync(path.join(repository, file), 'utf8'))
    .concat(sources.map(describeFolder))
    .join('\n');
  await unlessDone(`${output}/${stamp}`, input, `Building ${name}`, () =>
    run(program, args, folder),
  );
}
