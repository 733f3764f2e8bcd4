import { crc32, deflateSync } from 'node:zlib';

import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';

import { encodeLogo } from './logo.ts';

const draw = (width: number, height: number) => {
  const png = new PNG({ width, height });
  png.data.fill(200);
  return PNG.sync.write(png);
};

describe('a logo', () => {
  it('keeps its pixels', () => {
    const { png, hash } = encodeLogo(draw(3, 2));
    expect(PNG.sync.read(png)).toMatchObject({ width: 3, height: 2 });
    expect(PNG.sync.read(png).data).toEqual(PNG.sync.read(draw(3, 2)).data);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['a text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'), 'It is not a PNG.'],
    [
      'a PNG with more behind it',
      Buffer.concat([draw(3, 2), Buffer.from('<script>')]),
      'It is not a PNG.',
    ],
    ['a PNG that ends early', draw(300, 300).subarray(0, 60), 'It is not a PNG.'],
    ['513 pixels', draw(513, 1), 'It has 513 × 1 pixels.'],
    ['513 rows', draw(1, 513), 'It has 1 × 513 pixels.'],
    [
      '256,001 bytes',
      Buffer.alloc(256_001),
      'It is larger than 256 kB. Choose a PNG of at most 512 × 512 pixels and 256 kB.',
    ],
  ])('of %s is refused', (_, upload, reason) => {
    expect(() => encodeLogo(upload)).toThrow(reason);
  });

  /** A chunk with a valid checksum. */
  const chunk = (type: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  };
  const header = (width: number, height: number, interlace: number) => {
    const content = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, interlace]);
    content.writeUInt32BE(width, 0);
    content.writeUInt32BE(height, 4);
    return chunk('IHDR', content);
  };
  const signature = draw(1, 1).subarray(0, 8);
  const end = chunk('IEND', Buffer.alloc(0));

  it('may have 512 × 512 pixels and 256,000 bytes', () => {
    for (const [width, height] of [
      [512, 1],
      [1, 512],
    ] as const)
      expect(PNG.sync.read(encodeLogo(draw(width, height)).png)).toMatchObject({ width, height });
    const small = draw(1, 1).subarray(0, -end.length);
    const text = Buffer.alloc(256_000 - small.length - 12 - end.length, 'x');
    const upload = Buffer.concat([small, chunk('tEXt', text), end]);
    expect(upload.length).toBe(256_000);
    expect(PNG.sync.read(encodeLogo(upload).png)).toMatchObject({ width: 1, height: 1 });
  });

  it('an interlaced logo is refused, because 200 kB could decompress to 200 MB', () => {
    const bomb = chunk('IDAT', deflateSync(Buffer.alloc(20_000_000)));
    const upload = Buffer.concat([signature, header(2, 2, 1), bomb, end]);
    expect(() => encodeLogo(upload)).toThrow('It is interlaced.');
  });

  it('with a second, larger header is refused before it is decoded', () => {
    const pixels = chunk('IDAT', deflateSync(Buffer.alloc(9)));
    const second = header(30_000, 30_000, 0);
    const upload = Buffer.concat([signature, header(1, 1, 0), second, pixels, end]);
    const before = process.memoryUsage().rss;
    expect(() => encodeLogo(upload)).toThrow('It is not a PNG.');
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it('that declares more pixels than fit into memory is refused before it is decoded', () => {
    const upload = draw(1, 1);
    upload.writeUInt32BE(100_000, 16);
    upload.writeUInt32BE(100_000, 20);
    expect(() => encodeLogo(upload)).toThrow('It has 100000 × 100000 pixels.');
  });
});
