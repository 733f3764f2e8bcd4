/** What a handler answers: JSON, text or a page. */
export interface Answer {
  status: number;
  type?: 'application/json; charset=utf-8' | 'text/plain' | 'text/html; charset=utf-8';
  body?: string;
  headers?: Record<string, string>;
}

export const json = (value: unknown, status = 200): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});

export const text = (body: string, status = 200): Answer => ({ status, type: 'text/plain', body });

export const page = (body: string, status = 200): Answer => ({
  status,
  type: 'text/html; charset=utf-8',
  body,
  headers: { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' },
});

/** A request the portal refuses. It has no error codes: only a status and at most a sentence. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Errors have no common shape here: `{message}`, plain text or nothing, by status. */
export function refusalAnswer({ status, message }: Refusal): Answer {
  if (status === 401) return { status };
  if (status === 400 || status === 409) return json({ message }, status);
  return text(message, status);
}
