/** An object that a code stands for. */
export type ObjectReference = { kind: string; pk: number }

/** An object that a code stands for, as the service returns it. */
export type ScannedObject = ObjectReference & { web_url?: string; instance?: Record<string, unknown> }

/** The page of an object. The service returns no URL for a manufacturer part. */
export const pageOf = ({ kind, pk, web_url }: ScannedObject): string | undefined =>
  kind === 'manufacturerpart' ? `/manufacturer-part/${pk}/` : web_url

/** The kinds of the short codes, with the letters used by the service. */
const LETTERS = {
  BO: 'build',
  SP: 'supplierpart',
  MP: 'manufacturerpart',
  PO: 'purchaseorder',
  SO: 'salesorder',
  RO: 'returnorder',
  PA: 'part',
  SI: 'stockitem',
  SL: 'stocklocation',
} as const

/** The kinds of objects that codes stand for, as used in keys of texts: `scan.kind.part`. */
export type Kind = (typeof LETTERS)[keyof typeof LETTERS]

/** All kinds of objects that codes stand for. */
export const KINDS: readonly string[] = Object.values(LETTERS)

/**
 * The object that an internal code stands for: `{"stockitem": 12}`, `INV-SI12`. It needs no request, so that a scan station distinguishes
 * locations from goods while the network is down.
 */
export function ownCode(code: string): ObjectReference | undefined {
  const [, letters = '', number] = /^[A-Z]+-([A-Z]{2})(\d{1,9})$/.exec(code.trim()) ?? []
  const kind = (LETTERS as Readonly<Record<string, Kind>>)[letters]
  if (kind && number) return { kind, pk: Number(number) }
  const [, name = '', pk] = /^\{\s*"(\w+)"\s*:\s*(\d{1,9})\s*\}$/.exec(code.trim()) ?? []
  return pk !== undefined && KINDS.includes(name) ? { kind: name, pk: Number(pk) } : undefined
}
