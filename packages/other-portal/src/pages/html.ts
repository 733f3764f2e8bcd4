const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (value: unknown): string =>
  String(value).replace(/[&<>"']/g, (character) => entities[character] ?? character);

export function document(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>:root { color-scheme: light dark; font: 16px/1.5 Georgia, serif }
td, th { padding: 0.25rem 1rem 0.25rem 0; text-align: start }</style>
${body}
</html>
`;
}
