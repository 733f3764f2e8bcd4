import type { DefinitionNames } from '../../requests/definitions.ts';

const grains = ['year', 'quarter', 'month', 'week', 'day'] as const;
const cyclicGrains = ['month of year', 'day of week'] as const;
const hourGrains = ['hour', 'hour of day'] as const;

/** The fields, and those with dates by each grain. */
export const listDimensions = ({ fields, types }: DefinitionNames): string[] =>
  fields.flatMap((field, index) => {
    const type = types[index];
    if (type !== 'date' && type !== 'datetime') return [field];
    const hours = type === 'datetime' ? hourGrains : [];
    return [
      field,
      ...[...grains, ...cyclicGrains, ...hours].map((grain) => `${field} by ${grain}`),
    ];
  });

const allGrains = [...grains, ...cyclicGrains, ...hourGrains];

/** The grain of a dimension. A field can have a name such as `Review by month`, which has none. */
export function findGrain(dimension: string, fields: readonly string[]) {
  if (fields.includes(dimension)) return undefined;
  return allGrains.find((grain) => dimension.endsWith(` by ${grain}`));
}

/** The offered names without repetition, and those of the text that are not among them. */
export const toEntries = (offered: readonly string[], chosen: readonly string[]): string[] => [
  ...new Set([...offered, ...chosen]),
];
