/** Operations of a printer (RFC 8011, 5.4.15). */
export const operations = { printJob: 0x0002, getPrinterAttributes: 0x000b } as const

/** Tags of groups and values (RFC 8010, 3.5). */
const OPERATION = 0x01
const JOB = 0x02
const END_OF_ATTRIBUTES = 0x03
const INTEGER = 0x21
const ENUM = 0x23
const TAGS = { keyword: 0x44, uri: 0x45, charset: 0x47, language: 0x48, media: 0x49, name: 0x42 } as const

type TextAttributes = readonly (readonly [tag: keyof typeof TAGS, name: string, value: string | readonly string[]])[]

const encodeShort = (number: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(number)
  return bytes
}

function encodeAttribute(tag: number, name: string, value: Buffer): Buffer {
  const nameBytes = Buffer.from(name)
  return Buffer.concat([Buffer.of(tag), encodeShort(nameBytes.length), nameBytes, encodeShort(value.length), value])
}

/** Additional values of an attribute have no name. */
const encodeTextAttribute = ([tag, name, value]: TextAttributes[number]): Buffer =>
  Buffer.concat(
    [value].flat().map((item, position) => encodeAttribute(TAGS[tag], position === 0 ? name : '', Buffer.from(item as string))),
  )

/**
 * Builds a request in the format of RFC 8010. The document follows it.
 * @param texts further attributes of the operation, in their order
 * @param job integers about the job, such as `copies`
 */
export function buildIppRequest(
  operation: number,
  uri: string,
  texts: TextAttributes,
  job: Readonly<Record<string, number>> = {},
): Buffer {
  const numbers = Object.entries(job).map(([name, value]) => {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value)
    return encodeAttribute(INTEGER, name, bytes)
  })
  const commonAttributes: TextAttributes = [
    ['charset', 'attributes-charset', 'utf-8'],
    ['language', 'attributes-natural-language', 'en'],
    ['uri', 'printer-uri', uri],
  ]
  return Buffer.concat([
    Buffer.of(1, 1),
    encodeShort(operation),
    Buffer.of(0, 0, 0, 1, OPERATION),
    ...[...commonAttributes, ...texts].map(encodeTextAttribute),
    ...(numbers.length ? [Buffer.of(JOB), ...numbers] : []),
    Buffer.of(END_OF_ATTRIBUTES),
  ])
}

/** The response of a printer: its status, below 0x100 for success, and the attributes by name, of all groups. */
export type IppResponse = { status: number; attributes: ReadonlyMap<string, readonly (string | number)[]> }

/** Parses a response. @throws Error if it is invalid */
export function parseIppResponse(bytes: Buffer): IppResponse {
  const attributes = new Map<string, (string | number)[]>()
  try {
    const status = bytes.readUInt16BE(2)
    let position = 8
    let name = ''
    for (;;) {
      const tag = bytes.readUInt8(position++)
      if (tag === END_OF_ATTRIBUTES) return { status, attributes }
      if (tag < 0x10) continue
      const [nameBytes, afterName] = readLengthPrefixed(bytes, position)
      const [value, afterValue] = readLengthPrefixed(bytes, afterName)
      position = afterValue
      if (nameBytes.length > 0) name = nameBytes.toString()
      const isNumber = (tag === INTEGER || tag === ENUM) && value.length === 4
      const values = attributes.get(name) ?? []
      attributes.set(name, [...values, isNumber ? value.readInt32BE() : value.toString()])
    }
  } catch {
    throw new Error('its response is not IPP')
  }
}

/** Reads the bytes after their length at an offset, and returns them with the offset of the rest. */
function readLengthPrefixed(bytes: Buffer, position: number): [Buffer, number] {
  const end = position + 2 + bytes.readUInt16BE(position)
  if (end > bytes.length) throw new RangeError()
  return [bytes.subarray(position + 2, end), end]
}
