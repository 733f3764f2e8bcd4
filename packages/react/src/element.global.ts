import { createEmbedError, definePortalEmbed } from './element.ts';

export { createEmbedError };

// A page that loads the script twice keeps its first definition.
if (!customElements.get('portal-embed')) definePortalEmbed();
