interface Step {
  /** What remains if the step fails, with advice. */
  remains: string;
  /** Returns whether the object is gone. */
  undo: () => Promise<boolean>;
}

/** What must be removed at the end of the run, the last created object first. */
export class UndoStack {
  readonly #steps: Step[] = [];

  /**
   * Call it before the request that creates the object, because the answer may never arrive. Returns a
   * function that drops the step.
   */
  push(remains: string, undo: Step['undo']): () => void {
    const step = { remains, undo };
    this.#steps.push(step);
    return () => {
      this.#steps.splice(this.#steps.indexOf(step), 1);
    };
  }

  /** Removes everything, and returns what remains. */
  async run(): Promise<string[]> {
    const remaining: string[] = [];
    for (const { remains, undo } of this.#steps.toReversed())
      if (!(await undo().catch(() => false))) remaining.push(remains);
    this.#steps.length = 0;
    return remaining;
  }
}

/** Reads until something is so, because a portal may take a moment to show a change. */
export async function eventually<Value>(
  read: () => Promise<Value>,
  isDone: (value: Value) => boolean,
): Promise<Value> {
  for (const waitMs of [100, 300, 800]) {
    const value = await read();
    if (isDone(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  return read();
}
