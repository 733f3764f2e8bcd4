const maxEntries = 10_000;

/** A map of at most 10,000 entries. A further one removes all others: each can be looked up again. */
export class BoundedMap<Value> extends Map<string, Value> {
  override set(key: string, value: Value): this {
    if (this.size >= maxEntries && !this.has(key)) this.clear();
    return super.set(key, value);
  }
}
