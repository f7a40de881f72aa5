/** An object that a code stands for. */
export type ObjectReference = { kind: string; pk: number }

/** An object that a code stands for, as the service returns it. */
export type ScannedObject = ObjectReference & { web_url?: string; instance?: Record<string, unknown> }

/** The page of an object. The service returns no URL for a manufacturer part. */
export const getObjectUrl = ({ kind, pk, web_url }: ScannedObject): string | undefined =>
  kind === 'manufacturerpart' ? `/manufacturer-part/${pk}/` : web_url

/** The class of object for the two letters of a short code, as the service defines them. */
const KIND_BY_LETTERS = {
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

/** A class of objects that codes stand for, as used in text keys: `scan.kind.part`. */
export type CodeKind = (typeof KIND_BY_LETTERS)[keyof typeof KIND_BY_LETTERS]

/** All kinds of objects that codes stand for. */
export const KINDS: readonly string[] = Object.values(KIND_BY_LETTERS)

/**
 * The object that an internal code stands for: `{"stockitem": 12}`, `INV-SI12`. It needs no request, so that a scan station distinguishes
 * locations from goods while the network is down.
 */
export function parseInternalCode(code: string): ObjectReference | undefined {
  const [, letters = '', number] = /^[A-Z]+-([A-Z]{2})(\d{1,9})$/.exec(code.trim()) ?? []
  const kind = (KIND_BY_LETTERS as Readonly<Record<string, CodeKind>>)[letters]
  if (kind && number) return { kind, pk: Number(number) }
  const [, name = '', pk] = /^\{\s*"(\w+)"\s*:\s*(\d{1,9})\s*\}$/.exec(code.trim()) ?? []
  return pk !== undefined && KINDS.includes(name) ? { kind: name, pk: Number(pk) } : undefined
}
