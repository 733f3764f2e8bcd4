/** Code of the guide. */
export interface CodeBlock {
  /** Path of the file; `null` for commands. */
  file: string | null;
  code: string;
}

interface Variant {
  /** Name of a framework. */
  name: string;
  blocks: CodeBlock[];
}

/** The quick start and its frameworks: what to paste, in this order. */
export interface QuickStart {
  portal: CodeBlock[];
  pages: Variant[];
  servers: Variant[];
}

/** Values that replace those of the guide. */
export interface SnippetValues {
  publicUrl: string;
  /** Address at which the portal answers in the organization's name. */
  address: string;
  organizationId: string;
  /** Origin of the application that shows the portal. */
  origin: string;
  userEmail: string;
}

const valuesOfGuide =
  /https:\/\/(?:acme\.)?portal\.example|0{8}-0{4}-4000-8000-0{11}1|app\.acme\.example|user@acme\.example|\b3000\b/g;

/** Replaces the guide's values by those of an organization. */
export function fillSnippet(code: string, values: SnippetValues): string {
  const { hostname, port } = new URL(values.origin);
  const byText: Record<string, string> = {
    'https://portal.example': values.publicUrl,
    'https://acme.portal.example': values.address,
    '00000000-0000-4000-8000-000000000001': values.organizationId,
    'app.acme.example': hostname,
    'user@acme.example': values.userEmail,
    '3000': port || '3000',
  };
  // One pass, because an inserted value may contain text that looks like a value of the guide.
  return code.replace(valuesOfGuide, (found) => escapeText(byText[found]!));
}

/** Escapes a value for single quotes. */
const escapeText = (value: string): string => value.replace(/[\\']/g, '\\$&');
