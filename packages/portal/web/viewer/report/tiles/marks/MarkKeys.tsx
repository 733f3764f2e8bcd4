import { useViewer } from '../../../viewer-context.ts';
import type { Marks } from './use-marks.ts';

interface MarkKeysProps {
  marks: Marks;
  /** Index of the mark that the keys have reached; `null` without focus. */
  active: number | null;
  onActive: (index: number | null) => void;
  /** Describes a mark with its values. */
  describe: (index: number) => string;
}

/** Selects marks by keyboard. It is seen while it has the focus. */
export function MarkKeys({ marks, active, onActive, describe }: MarkKeysProps) {
  const { formatMessage } = useViewer().formats;
  const { tile, canSelect, toggle } = marks;
  const last = marks.marks.length - 1;
  if (!canSelect || last < 0) return null;
  const index = Math.min(active ?? 0, last);
  const text = describe(index);
  return (
    <div className="mark-keys">
      <input
        type="range"
        min={0}
        max={last}
        value={index}
        aria-label={formatMessage('mark.keys', { title: tile.title })}
        aria-valuetext={text}
        onChange={({ target }) => onActive(target.valueAsNumber)}
        onFocus={() => onActive(index)}
        onBlur={() => onActive(null)}
        onKeyDown={({ key }) => (key === 'Enter' || key === ' ') && toggle(index)}
      />
      <span aria-hidden="true">{text}</span>
    </div>
  );
}
