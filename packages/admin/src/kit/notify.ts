import { notifications } from '@mantine/notifications';

/** Says in a corner that a change was made; screen readers announce it. */
export const notify = (message: string): void => {
  notifications.show({ message, color: 'teal', autoClose: 5_000, withCloseButton: false });
};
