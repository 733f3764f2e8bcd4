import { useFormats } from '../messages/messages.ts';
import type { Holder } from '../requests/reports.ts';

/** Returns the text by which lists offer a user or group: the name, and the e-mail if it is another text. */
export function useHolderLabel(): (holder: Pick<Holder, 'name' | 'email'>) => string {
  const { formatMessage } = useFormats();
  return ({ name, email }) =>
    email === null || email === name ? name : formatMessage('holder.user', { name, email });
}
