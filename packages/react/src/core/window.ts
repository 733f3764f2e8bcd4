/** Returns the window of a document. A document that another one has replaced has none. */
export const findWindow = ({ defaultView }: Document) => defaultView ?? window;
