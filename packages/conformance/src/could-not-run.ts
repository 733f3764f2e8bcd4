/** Nothing could be checked: nothing answers, the key is wrong, or an option is not valid. */
export class CouldNotRun extends Error {
  override readonly name = 'CouldNotRun';
}
