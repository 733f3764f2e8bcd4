/** A mistake that the author can correct. */
export class Problem extends Error {}
