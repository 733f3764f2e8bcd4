import { definePortalEmbed } from '@portal-embed/react/element';

definePortalEmbed();
