/** Pictures that Chromium takes of a page, and how much of a report is in each. */

/** Films the page until the returned function is called, which returns the pictures with their times. */
export async function startFilm(page) {
  const session = await page.context().newCDPSession(page);
  const pictures = [];
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    pictures.push({ data, at: metadata.timestamp * 1_000 });
    // The page may have closed.
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
  });
  await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 });
  return async () => {
    await session.send('Page.stopScreencast');
    await session.detach();
    return pictures;
  };
}

const countInk = async (data) => {
  const blob = await (await fetch(`data:image/png;base64,${data}`)).blob();
  const bitmap = await createImageBitmap(blob);
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const { data: pixels } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  const lightness = (at) => pixels[at] + pixels[at + 1] + pixels[at + 2];
  let ink = 0;
  for (let at = 0; at < pixels.length; at += 4)
    if (Math.abs(lightness(at) - lightness(0)) > 60) ink++;
  return ink;
};

/** Returns a function that counts the pixels of a picture that differ from its background. */
export async function openInkCounter(browser) {
  const page = await browser.newPage();
  return (picture) => page.evaluate(countInk, picture.data);
}
