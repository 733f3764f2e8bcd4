import { ServiceError } from 'page-kit/service-error';

/** Pixels of the picture for each CSS pixel. */
const scale = 2;

/** The computed styles of SVG that a picture needs, because style sheets do not apply in it. */
const svgStyles = [
  'display',
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'paint-order',
  'font-family',
  'font-size',
  'font-weight',
  'font-variant-numeric',
  'text-anchor',
  'visibility',
];

/** Characters that data can have and XML cannot. */
const notXml = /(?![\t\n\r])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;

/** Paints a tile as PNG as it is drawn: its title, texts and drawings on the color of its surface. */
export async function paintTile(tile: HTMLElement): Promise<Blob> {
  const box = tile.getBoundingClientRect();
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(box.width * scale);
  canvas.height = Math.ceil(box.height * scale);
  const context = canvas.getContext('2d')!;
  context.scale(scale, scale);
  context.fillStyle = getComputedStyle(tile).backgroundColor;
  context.fillRect(0, 0, box.width, box.height);
  context.translate(-box.left, -box.top);
  for (const svg of tile.querySelectorAll('svg'))
    if (!svg.parentElement!.closest('svg')) await paintSvg(context, svg);
  paintTexts(context, tile);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new ServiceError('internal_error')))),
  );
}

async function paintSvg(context: CanvasRenderingContext2D, svg: SVGSVGElement): Promise<void> {
  const { left, top, width, height } = svg.getBoundingClientRect();
  if (width === 0 || height === 0) return;
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  for (const [index, element] of [svg, ...svg.querySelectorAll('*')].entries()) {
    const computed = getComputedStyle(element);
    for (const name of svgStyles)
      copies[index]!.style.setProperty(name, computed.getPropertyValue(name));
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const image = new Image();
  const xml = new XMLSerializer().serializeToString(copy).replaceAll(notXml, '\uFFFD');
  image.src = `data:image/svg+xml,${encodeURIComponent(xml)}`;
  await image.decode();
  context.drawImage(image, left, top, width, height);
}

/** Paints the visible lines of text outside of drawings and buttons. */
function paintTexts(context: CanvasRenderingContext2D, tile: HTMLElement): void {
  const texts = document.createTreeWalker(tile, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    const parent = text.parentElement!;
    if (parent.closest('svg, .tile-actions, .visually-hidden, .mark-keys, .fold-toggle')) continue;
    const { color, direction, fontStyle, fontWeight, fontSize, fontFamily } =
      getComputedStyle(parent);
    // The shorthand is empty where digits have equal widths.
    const font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    Object.assign(context, { fillStyle: color, font, direction, textBaseline: 'alphabetic' });
    for (const { line, box } of readLines(text)) {
      const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } =
        context.measureText(line);
      const baseline = (box.top + box.bottom + ascent - descent) / 2;
      context.fillText(line, direction === 'rtl' ? box.right : box.left, baseline);
    }
  }
}

/** Splits a text where the browser has wrapped it. */
function readLines(text: Text): { line: string; box: DOMRect }[] {
  const lines: { line: string; box: DOMRect }[] = [];
  const range = document.createRange();
  let from = 0;
  for (let to = 1; to <= text.length; to += 1) {
    range.setStart(text, from);
    range.setEnd(text, to);
    const isWrapped = range.getClientRects().length > 1;
    if (!isWrapped && to < text.length) continue;
    range.setEnd(text, isWrapped ? to - 1 : to);
    const line = range.toString().trim();
    if (line !== '') lines.push({ line, box: range.getBoundingClientRect() });
    from = isWrapped ? to - 1 : to;
    if (isWrapped && to === text.length) to -= 1;
  }
  return lines;
}
