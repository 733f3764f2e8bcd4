import type { PlatformCheck, PlatformSync } from '../requests/platforms.ts';

export type PlatformRun = PlatformCheck | PlatformSync;

export const isPending = ({ state }: PlatformRun): boolean =>
  state === 'waiting' || state === 'running';
