import { useViewer } from './viewer-context.ts';

/** Says that an administrator views the portal as the user. No display flag hides it. */
export function ViewedAs() {
  const { user, viewedBy, formats } = useViewer();
  return (
    viewedBy && (
      <p className="viewed-as" role="note">
        {formats.formatMessage('viewed_as', { name: user.name, administrator: viewedBy })}
      </p>
    )
  );
}
