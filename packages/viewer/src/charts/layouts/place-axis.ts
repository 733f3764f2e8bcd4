import { axisX } from '@observablehq/plot';

import type { AxisPlace } from '../read-chart.ts';
import { characterWidth, endRoom, plainAxis, type Subject } from './frame.ts';

const gap = 12;
const longestRotated = 18;

/**
 * Labels of places with equal distances, and the room below for them. Long names are turned. Times
 * and numbers without room have no label.
 *
 * @param room Pixels between two places.
 */
export function placeAxis(
  { chart: { x, places }, formats: { isRightToLeft } }: Subject,
  positionOf: (index: number) => number,
  room: number,
) {
  const longest = Math.max(0, ...places.map(({ name }) => name.length)) * characterWidth;
  const isTurned = x.kind === 'category' && longest + gap > room;
  const needed = isTurned ? 14 : longest + gap;
  const every = Math.max(1, Math.ceil(needed / room));
  const shown = places.flatMap((place, index) => (index % every === 0 ? [{ place, index }] : []));
  const names = new Map(shown.map(({ place, index }) => [positionOf(index), nameOf(place)]));
  const options = { ...plainAxis, tickFormat: (position: number) => names.get(position) ?? '' };
  const characters = Math.min(longest / characterWidth, longestRotated);
  const end = positionOf(places.length - 1) + positionOf(0);
  return {
    /** Room that the last labels need to the right of the axis. */
    right: isTurned
      ? 0
      : Math.max(
          0,
          ...shown.map(
            ({ place, index }) => endRoom(0, [place.name]) - (end - positionOf(index)) * room,
          ),
        ),
    /** Room that turned labels need to the left of the first place. */
    left: isTurned ? characters * characterWidth * 0.71 + 8 - room / 2 : 0,
    bottom: isTurned ? Math.ceil(characters * characterWidth * 0.71) + 24 : 26,
    mark: axisX(
      [...names.keys()],
      isTurned
        ? {
            ...options,
            tickRotate: isRightToLeft ? 45 : -45,
            textAnchor: isRightToLeft ? 'start' : 'end',
            // In ems.
            lineWidth: (longestRotated * characterWidth * 0.8) / 12,
            textOverflow: 'ellipsis',
          }
        : options,
    ),
  };
}

const nameOf = ({ name }: AxisPlace) => name;
