import { describeAddress } from '../database-address.ts';
import type { GrantedConnection } from './service.ts';

export const presentConnection = ({ name, settings, organizations }: GrantedConnection) => ({
  name,
  engine: settings?.engine ?? null,
  address: settings ? describeAddress(settings.url) : null,
  organizations,
});
