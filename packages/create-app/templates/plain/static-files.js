import { fileURLToPath } from 'node:url';

/** The script of `<portal-embed>`. */
export const elementScript = fileURLToPath(
  import.meta.resolve('@portal-embed/react/element.global.js'),
);
