import './meter.ts';
import { definePortalEmbed } from '../../src/element.ts';

definePortalEmbed();
