/** Red, green and blue of linear light, 0 to 1. */
type Light = [number, number, number];

const toLight = (color: string): Light => {
  const [r, g, b] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return [r!, g!, b!];
};

const multiply = (matrix: readonly Light[], [r, g, b]: Light): Light => {
  const [x, y, z] = matrix.map((row) => row[0] * r + row[1] * g + row[2] * b);
  return [x!, y!, z!];
};

/** How people without one kind of cones see (Machado, Oliveira and Fernandes 2009). */
const visions: readonly (readonly Light[])[] = [
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [0.152_286, 1.052_583, -0.204_868],
    [0.114_503, 0.786_281, 0.099_216],
    [-0.003_882, -0.048_116, 1.051_998],
  ],
  [
    [0.367_322, 0.860_646, -0.227_968],
    [0.280_085, 0.672_501, 0.047_413],
    [-0.011_82, 0.042_94, 0.968_881],
  ],
  [
    [1.255_528, -0.076_749, -0.178_779],
    [-0.078_411, 0.930_809, 0.147_602],
    [0.004_733, 0.691_367, 0.303_9],
  ],
];

function toOklab(light: Light): Light {
  const cones = multiply(
    [
      [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
      [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
      [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
    ],
    light,
  ).map((value) => Math.cbrt(Math.max(0, value))) as Light;
  return multiply(
    [
      [0.210_454_255_3, 0.793_617_785, -0.004_072_046_8],
      [1.977_998_495_1, -2.428_592_205, 0.450_593_709_9],
      [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766],
    ],
    cones,
  );
}

/** Least distance of two colors in OKLab. Palettes made for people with a color blindness have pairs of 0.032. */
const leastDistance = 0.03;

/**
 * The pairs of colors that people with or without color blindness can hardly tell apart.
 *
 * @param colors `#rrggbb`
 */
export function findAlike(colors: readonly string[]): [string, string][] {
  const seen = visions.map((vision) =>
    colors.map((color) => toOklab(multiply(vision, toLight(color)))),
  );
  return colors.flatMap((color, index) =>
    colors.slice(index + 1).flatMap((other, offset): [string, string][] => {
      const isAlike = seen.some((points) => {
        const [one, two] = [points[index]!, points[index + 1 + offset]!];
        return Math.hypot(...one.map((value, axis) => value - two[axis]!)) < leastDistance;
      });
      return isAlike ? [[color, other]] : [];
    }),
  );
}
