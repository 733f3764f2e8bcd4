import { hash, verify } from '@node-rs/argon2';

import { PortalError } from '../errors.ts';

/** Shorter passwords can be guessed from a stolen hash. */
const minLength = 10;

export const hashPassword = (password: string): Promise<string> => hash(password);

let dummyHash: Promise<string> | undefined;

/** Whether the password has this hash. Takes the same time without a hash. */
export async function verifyPassword(
  stored: string | null | undefined,
  password: string,
): Promise<boolean> {
  const known = stored ?? (await (dummyHash ??= hash('no account has this password')));
  return (await verify(known, password)) && stored !== null && stored !== undefined;
}

/**
 * Refuses passwords that are short, common, or part of the account itself.
 *
 * @throws `weak_password`
 */
export async function requireStrongPassword(password: string, email: string): Promise<void> {
  if (password.length < minLength) throw weakPassword(`It has fewer than ${minLength} characters.`);
  const lower = password.toLowerCase();
  const [localPart = ''] = email.toLowerCase().split('@');
  if (lower.includes(email.toLowerCase()) || lower === localPart.repeat(2))
    throw weakPassword('It contains your e-mail.');
  if ((await loadCommonPasswords()).has(lower) || new Set(lower).size < 4)
    throw weakPassword('It is one of the most common passwords.');
}

const weakPassword = (reason: string) =>
  new PortalError('weak_password', reason, { advice: 'Choose a longer or less common password.' });

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** Loaded when a password is set, which is rare. */
const loadCommonPasswords = () =>
  (commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  ));
