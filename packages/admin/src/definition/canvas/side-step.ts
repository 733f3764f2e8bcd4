import { useDirection } from '@mantine/core';

/** Whether a side of the screen is forward (1) or back (-1) in a line of tiles or tabs. */
export type SideStep = (side: 'left' | 'right') => 1 | -1;

export function useSideStep(): SideStep {
  const { dir } = useDirection();
  const forward = dir === 'rtl' ? 'left' : 'right';
  return (side) => (side === forward ? 1 : -1);
}
