import fs from 'node:fs/promises';

/** The lines of `demo.env`: addresses, keys and ids, for a shell to `source`. */
export type DemoEnvironment = Record<
  | 'REPORTS_URL'
  | 'HOST_URL_ACME'
  | 'HOST_URL_GLOBEX'
  | `${'ACME' | 'GLOBEX'}_${'API_KEY' | 'LIMITED_API_KEY' | 'ORGANIZATION_ID' | 'BASE_URL' | 'GROUP_ID'}`
  | 'SALES_REPORT_ID'
  | 'SALES_DATASET_ID'
  | 'FLIGHTS_REPORT_ID',
  string
>;

/** Reads what an earlier start wrote; empty when there is nothing. */
export async function readDemoEnvironment(file: string): Promise<Partial<DemoEnvironment>> {
  const text = await fs.readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [name, value] = line.split('=', 2);
      return name && value ? [[name, value]] : [];
    }),
  ) as Partial<DemoEnvironment>;
}

/** Writes the file so that only its owner can read it, whole or not at all. */
export async function writeDemoEnvironment(
  file: string,
  environment: DemoEnvironment,
): Promise<void> {
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`);
  const temporary = `${file}.new`;
  await fs.rm(temporary, { force: true });
  await fs.writeFile(temporary, lines.join(''), { mode: 0o600 });
  await fs.rename(temporary, file);
}
