/** Returns a function that creates the value at its first call. Browsers take long to create formats. */
export function once<Value>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= create());
}
