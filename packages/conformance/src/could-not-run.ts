/** The checks could not run: nothing answers, the key is wrong, or an option is not valid. */
export class CouldNotRun extends Error {
  override readonly name = 'CouldNotRun';
}

/** @throws CouldNotRun if the text is no http or https address. */
export function requireAddress(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CouldNotRun(
      'The address must be an http or https address, such as https://portal.example.',
    );
}
