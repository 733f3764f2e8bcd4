import type { FileFormat } from '@portal-embed/contract/frame';

import { takeFrame } from '../export/take-frame.ts';
import { MoreMenu } from '../MoreMenu.tsx';
import { useViewer } from '../viewer-context.ts';

const fileFormats: FileFormat[] = ['csv', 'xlsx', 'png'];

/** The files that the product of a frame can save. */
export function FrameMenu({ title }: { title: string }) {
  const { viewer, formats } = useViewer();
  return (
    <MoreMenu title={title}>
      {(menu) =>
        fileFormats.map((format) => (
          <button
            key={format}
            type="button"
            className="popover-entry"
            onClick={() => {
              menu.hidePopover();
              void takeFrame(viewer, format);
            }}
          >
            {formats.formatMessage(`take.${format}`)}
          </button>
        ))
      }
    </MoreMenu>
  );
}
