import type {
  EmbedOptions,
  EmbedTexts,
  PortalEmbedElement,
  PortalEmbedEvents,
} from '@portal-embed/react/element';
import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';

interface Props extends HTMLAttributes {
  options?: EmbedOptions;
  texts?: Partial<EmbedTexts>;
  theme?: EmbedOptions['theme'];
  hideNavbar?: boolean;
}

declare module 'vue' {
  interface GlobalComponents {
    PortalEmbed: new () => PortalEmbedElement & {
      $props: Props & PublicProps;
      $emit: EmitFn<{
        [Name in keyof PortalEmbedEvents]: (event: PortalEmbedEvents[Name]) => void;
      }>;
    };
  }
}
