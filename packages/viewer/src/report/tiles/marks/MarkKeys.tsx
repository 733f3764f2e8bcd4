import type { Mark } from '../../../charts/filter-by.ts';
import { useViewer } from '../../../viewer-context.ts';
import { isToAdd } from './use-selection.ts';

export interface MarkKeysProps {
  title: string;
  marks: readonly Mark[];
  canSelect: boolean;
  toggle: (index: number, toAdd: boolean) => void;
  /** Index of the mark that the arrow keys are at; `null` without focus. */
  active: number | null;
  onActive: (index: number | null) => void;
  /** Describes a mark with its values. */
  describe: (index: number) => string;
  /** What selecting a mark does, if anything. */
  actionOf: (index: number) => string | undefined;
}

/** Describes and selects marks by keyboard. Visible only while it has the focus. */
export function MarkKeys({
  title,
  marks,
  canSelect,
  toggle,
  active,
  onActive,
  describe,
  actionOf,
}: MarkKeysProps) {
  const { formatMessage } = useViewer().formats;
  if (marks.length === 0) return null;
  const last = marks.length - 1;
  const index = Math.min(active ?? 0, last);
  const text = [describe(index), actionOf(index)].filter((part) => part !== undefined).join(' · ');
  return (
    <div className="mark-keys">
      <input
        type="range"
        min={0}
        max={last}
        value={index}
        aria-label={formatMessage(canSelect ? 'mark.keys' : 'mark.read', { title })}
        aria-valuetext={text}
        onChange={({ target }) => onActive(target.valueAsNumber)}
        onFocus={() => onActive(index)}
        onBlur={() => onActive(null)}
        onKeyDown={(event) => ['Enter', ' '].includes(event.key) && toggle(index, isToAdd(event))}
      />
      <span aria-hidden="true">{text}</span>
    </div>
  );
}
