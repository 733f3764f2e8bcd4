/** The value is a `QuickStart`; a module declaration cannot import that type by a relative path. */
declare module 'virtual:quick-start' {
  const quickStart: unknown;
  export default quickStart;
}
