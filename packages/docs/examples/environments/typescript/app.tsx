import { createPortalClient } from '@portal-embed/client';
import { portalEmbed } from '@portal-embed/express';
import { createMinter } from '@portal-embed/host';
import { PortalEmbed } from '@portal-embed/react';
import { definePortalEmbed } from '@portal-embed/react/element';

export const functions = [createPortalClient, portalEmbed, createMinter, definePortalEmbed];
export const Sales = () => <PortalEmbed title="Sales" />;
