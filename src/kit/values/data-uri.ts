/** The content of a `data:` URI, with the name and the extension that it states. */
export type DataUriContent = { content: Uint8Array; name?: string; extension?: string }

const HEADER = /^data:(?<type>[\w.+-]+\/[\w.+-]+)?(?<parameters>(?:;[\w.+-]+=[^;,]*)*)(?<base64>;base64)?,/i
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** Extensions of media types that have no better one. */
const EXTENSIONS: Record<string, string> = {
  'text/html': 'html',
  'text/plain': 'txt',
  'text/css': 'css',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'application/pdf': 'pdf',
}

/** Decodes a `data:` URI (RFC 2397); undefined for any other text, null for an invalid one. */
export function parseDataUri(text: string): DataUriContent | null | undefined {
  if (!/^data:/i.test(text)) return undefined
  const head = HEADER.exec(text)
  if (!head) return null
  const { type = '', parameters = '', base64 } = head.groups as Record<string, string | undefined>
  const body = text.slice(head[0].length)
  const content = base64 ? decodeBase64(body) : decodePercent(body)
  if (!content) return null
  const name = /;(?:file)?name=([^;,]+)/i.exec(parameters)?.[1]
  return { content, name: name && decodeUriComponent(name), extension: EXTENSIONS[type.toLowerCase()] }
}

function decodeBase64(text: string): Buffer | undefined {
  const plain = text.includes('%') ? decodeUriComponent(text) : text
  return plain !== undefined && BASE64.test(plain) ? Buffer.from(plain, 'base64') : undefined
}

function decodePercent(text: string): Buffer | undefined {
  const plain = decodeUriComponent(text)
  return plain === undefined ? undefined : Buffer.from(plain)
}

/** Decodes percent-encoded text. @returns undefined if it is not well-formed */
export function decodeUriComponent(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
