/** Names of fields, with one that the text uses although it is not among them. */
export const listNames = (fields: readonly { name: string }[], used: string): string[] => {
  const names = fields.map(({ name }) => name);
  return used === '' || names.includes(used) ? names : [...names, used];
};
