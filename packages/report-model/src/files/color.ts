import { color } from 'd3-color';
import { z } from 'zod';

/** A color of CSS, as `#rrggbb`. The pages adapt it to light and dark. */
export const colorSchema = z
  .string()
  .max(100)
  .transform((text, context) => {
    const parsed = color(text);
    if (parsed?.displayable() && parsed.opacity === 1) return parsed.formatHex();
    context.addIssue({
      code: 'custom',
      message:
        parsed && parsed.opacity < 1
          ? 'the color is transparent; write an opaque one'
          : 'is not a color of CSS; write a name such as green, or "#1a7f37"',
    });
    return z.NEVER;
  })
  .meta({ id: 'color', description: 'A color of CSS, such as green or "#1a7f37".' });
