import leven from 'leven';

/** Returns the host and name of a database without user and password. */
export function describeAddress(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${host || searchParams.get('host') || 'localhost'}${pathname}`;
}

const example = 'postgres://user:password@host:5432/database';

const notEncoded = `must be an address such as ${example}, with special characters of the user and the password percent-encoded: %40 for @, %2F for /, %3A for :, %23 for #, %3F for ?, %25 for %`;

const tlsOptions = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslnegotiation',
  'uselibpqcompat',
];

const tlsModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** Returns what is wrong with the address of a PostgreSQL database, without its parts: they may be of a password. */
export function findAddressProblem(text: string): string | undefined {
  if (!/^postgres(ql)?:/i.test(text)) return `must begin with postgres://, such as ${example}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !isEncoded(url)) return notEncoded;
  const mistyped = [...url.searchParams.keys()].find(
    (option) => !tlsOptions.includes(option) && findTlsOption(option) !== undefined,
  );
  // The driver ignores unknown options, so the connection would not be encrypted.
  if (mistyped !== undefined)
    return `has the unknown option ${mistyped}. Did you mean ${findTlsOption(mistyped)}?`;
  const mode = url.searchParams.get('sslmode');
  return mode === null || tlsModes.includes(mode)
    ? undefined
    : `has an unknown sslmode. Write ${tlsModes.slice(0, -1).join(', ')} or ${tlsModes.at(-1)}`;
}

/** Whether no part of the user or the password has become another part of the address. */
function isEncoded({ username, password, pathname, searchParams, hash }: URL): boolean {
  if (hash !== '' || /[/@]/.test(pathname.slice(1))) return false;
  if ([...searchParams.keys()].some((option) => option.includes('@'))) return false;
  try {
    decodeURIComponent(username + password + pathname);
    return true;
  } catch {
    return false;
  }
}

const findTlsOption = (option: string): string | undefined =>
  tlsOptions.find((known) => leven(option.toLowerCase(), known, { maxDistance: 3 }) <= 2);
