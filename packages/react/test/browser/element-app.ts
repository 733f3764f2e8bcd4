import './meter.ts';
import { definePortalEmbed } from '../../src/element.ts';

declare global {
  interface Window {
    definePortalEmbed: typeof definePortalEmbed;
  }
}

window.definePortalEmbed = definePortalEmbed;
definePortalEmbed();
