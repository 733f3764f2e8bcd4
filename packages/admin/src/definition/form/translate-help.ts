import portuguese from '../../messages/pt/tile-help.json';

/** Descriptions of the schema of tiles in Portuguese, by the English ones. */
export const portugueseHelp: Readonly<Record<string, string>> = portuguese;

export const translateHelp = (help: string, language: string): string =>
  language === 'pt' ? (portugueseHelp[help] ?? help) : help;
