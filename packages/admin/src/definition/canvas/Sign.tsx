import { ActionIcon } from '@mantine/core';

const shapes = {
  left: 'M14 5l-7 7 7 7',
  right: 'M10 5l7 7-7 7',
  up: 'M5 14l7-7 7 7',
  down: 'M5 10l7 7 7-7',
  row: 'M4 6h16M8 14h8v5H8z',
  page: 'M4 5h10v14H4zM14 12h7M18 9l3 3-3 3',
  narrower: 'M4 5v14M20 12H9M13 8l-4 4 4 4',
  wider: 'M20 5v14M4 12h11M11 8l4 4-4 4',
  add: 'M12 5v14M5 12h14',
  duplicate: 'M9 9h11v11H9zM5 15H4V4h11v1',
  remove: 'M6 6l12 12M18 6L6 18',
  undo: 'M9 6L4 11l5 5M4 11h11a5 5 0 0 1 0 10h-3',
  redo: 'M15 6l5 5-5 5M20 11H9a5 5 0 0 0 0 10h3',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
} as const;

type SignName = keyof typeof shapes;

/** These name a side of the screen. The others follow the direction of the text. */
const isSide = (name: SignName) => name === 'left' || name === 'right';

/** The drawing on a button. Its label is elsewhere. */
export const Sign = ({ name }: { name: SignName }) => (
  <svg
    viewBox="0 0 24 24"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    className={isSide(name) ? undefined : 'sign-mirrored'}
    aria-hidden
  >
    <path d={shapes[name]} />
  </svg>
);

/** A button with a drawing. One that does nothing keeps the focus, so that it can be pressed again. */
export function SignButton({
  label,
  sign,
  isSubtle = false,
  onClick,
}: {
  label: string;
  sign: SignName;
  isSubtle?: boolean;
  /** Default: nothing can be done. */
  onClick?: (() => void) | undefined;
}) {
  return (
    <ActionIcon
      variant={isSubtle ? 'subtle' : 'default'}
      {...(isSubtle && { color: 'gray' })}
      aria-label={label}
      title={label}
      aria-disabled={!onClick}
      {...(!onClick && { 'data-disabled': true })}
      onClick={() => onClick?.()}
    >
      <Sign name={sign} />
    </ActionIcon>
  );
}
