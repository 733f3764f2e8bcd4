import { portalEmbed } from '@portal-embed/express';

export const embed = portalEmbed;
