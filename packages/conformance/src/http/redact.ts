/** A token of an identity URL, or any other long run of the characters of a key. */
const secretRuns = /(?<=[?&]token=)[^&\s"'<>]+|[\w-]{40,}/g;

/** Returns a function that removes the secrets of a run, and tokens, from a text. */
export function createRedact(secrets: readonly string[]): (text: string) => string {
  const known = secrets.filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length);
  return (text) =>
    known
      .reduce((cleaned, secret) => cleaned.replaceAll(secret, '[secret]'), text)
      .replace(secretRuns, '[secret]');
}
