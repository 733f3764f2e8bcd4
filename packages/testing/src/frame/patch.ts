/** Changes properties of objects, until they are restored. */
export function createPatches() {
  const undo: (() => void)[] = [];
  return {
    set(target: object, name: string, descriptor: PropertyDescriptor) {
      const previous = Object.getOwnPropertyDescriptor(target, name);
      Object.defineProperty(target, name, { configurable: true, ...descriptor });
      undo.push(() => {
        if (previous) Object.defineProperty(target, name, previous);
        else Reflect.deleteProperty(target, name);
      });
    },
    restore() {
      for (const each of undo.splice(0).toReversed()) each();
    },
  };
}
