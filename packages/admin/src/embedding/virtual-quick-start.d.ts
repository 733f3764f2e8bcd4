/** A `QuickStart`. Declarations of a module cannot import its type. */
declare module 'virtual:quick-start' {
  const quickStart: unknown;
  export default quickStart;
}
