import { isMessageKey, type Formats } from '../../messages/messages.ts';
import { translateHelp } from './translate-help.ts';

type FormatMessage = Formats['formatMessage'];

/** The name of a type of tile. An unknown type is its own name. */
export function labelType(type: unknown, formatMessage: FormatMessage): string {
  const key = `editor.type.${String(type)}`;
  return isMessageKey(key) ? formatMessage(key) : typeof type === 'string' ? type : '';
}

/** The label of a property. Some have another meaning in one type. */
export function labelProperty(type: unknown, name: string, formatMessage: FormatMessage): string {
  const own = `editor.property.${String(type)}.${name}`;
  if (isMessageKey(own)) return formatMessage(own);
  const key = `editor.property.${name}`;
  return isMessageKey(key) ? formatMessage(key) : name;
}

/** The label of a value of a list of choices. */
export function labelChoice(choice: string, formatMessage: FormatMessage): string {
  const key = `editor.choice.${choice}`;
  return isMessageKey(key) ? formatMessage(key) : choice;
}

/** The description of a property in the language of the page. */
export const describeProperty = (
  help: string | undefined,
  { language }: Pick<Formats, 'language'>,
): string | undefined => (help === undefined ? undefined : translateHelp(help, language));
