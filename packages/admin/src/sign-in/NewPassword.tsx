import { AdminError } from '../api/admin-error.ts';
import { Failure } from '../kit/Failure.tsx';
import { PasswordField } from '../kit/PasswordField.tsx';
import { useFormats } from '../messages/messages.ts';

/** A field for a new password, with the service's reason if it refused one. */
export function NewPassword({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (value: string) => void;
  error: unknown;
}) {
  const { formatMessage } = useFormats();
  const isWeak =
    error instanceof AdminError && ['weak_password', 'invalid_request'].includes(error.code);
  return (
    <>
      {error !== null && error !== undefined && !isWeak && <Failure error={error} />}
      <PasswordField
        label={formatMessage('password.new')}
        description={formatMessage('password.help')}
        autoComplete="new-password"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={isWeak && formatMessage('password.weak')}
        required
      />
    </>
  );
}
