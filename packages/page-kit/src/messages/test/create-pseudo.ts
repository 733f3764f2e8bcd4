import type { Catalogue, Message } from '../catalogue.ts';

/** A word or a number, and not the name of a placeholder. */
const word = /\{\w+\}|[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu;

/** Right-to-left override, and its end. */
const reverse = (text: string) => `\u202e${text}\u202c`;

const writeText = (text: string) =>
  text.replace(word, (found) => (found.startsWith('{') ? found : reverse(found)));

const writeMessage = (message: Message): Message =>
  typeof message === 'string'
    ? writeText(message)
    : (Object.fromEntries(
        Object.entries(message).map(([form, text]) => [form, writeText(text)]),
      ) as Message);

/** English as a language that is written from right to left: each word is drawn in that direction. */
export const createPseudo = ({ messages }: Catalogue) => ({
  language: 'ar-XB',
  direction: 'rtl',
  messages: Object.fromEntries(
    Object.entries(messages).map(([key, message]) => [key, writeMessage(message)]),
  ),
});
