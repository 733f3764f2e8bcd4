/** A bound value. It never becomes part of the statement's text. */
export interface Parameter {
  value: string | readonly string[];
}

/** A part of a statement. */
export interface Sql {
  parts: readonly (string | Parameter)[];
}

/** Builds SQL from a template, whose values are SQL themselves. */
export function sql(strings: TemplateStringsArray, ...nested: Sql[]): Sql {
  const parts = strings.flatMap((text, index) => [text, ...(nested[index]?.parts ?? [])]);
  return { parts };
}

/** A value from content or a request. */
export const bind = (value: Parameter['value']): Sql => ({ parts: [{ value }] });

/** Constant text of the emitter, such as the name of a type. Never text from content or requests. */
export const keyword = (text: string): Sql => ({ parts: [text] });

/** The text of a bound literal. */
export function readLiteral({ parts }: Sql): string {
  const [value] = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.value]));
  if (typeof value !== 'string') throw new Error('An argument is not a literal.');
  return value;
}

export const join = (list: readonly Sql[], separator = ', '): Sql => ({
  parts: list.flatMap(({ parts }, index) => (index === 0 ? parts : [separator, ...parts])),
});

export interface Statement {
  text: string;
  values: Parameter['value'][];
}

/** Writes a statement. A parameter that occurs several times is bound once. */
export function render(
  { parts }: Sql,
  placeholder: (index: number, value: Parameter['value']) => string,
): Statement {
  const indexes = new Map<Parameter, number>();
  const texts = parts.map((part) => {
    if (typeof part === 'string') return part;
    const index = indexes.get(part) ?? indexes.size;
    indexes.set(part, index);
    return placeholder(index, part.value);
  });
  return { text: texts.join(''), values: [...indexes.keys()].map(({ value }) => value) };
}
