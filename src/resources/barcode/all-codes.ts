import fc from 'fast-check'
import { samples } from './sample-codes.ts'

/** Codes for tests, as sent by scanners and by attackers. */

const keys = ['part', 'stockitem', 'stocklocation', 'supplierpart', 'purchaseorder', 'build', 'Part', '__proto__', 'constructor']

/** Any string, including lone surrogates. */
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((codes) => codes.map((code) => String.fromCharCode(code)).join(''))

/** Damages one of these codes: truncates it, or inserts text. */
const damageCode = (codes: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...codes), fc.nat(300), fc.string({ unit: 'binary', maxLength: 20 }), fc.boolean())
    .map(
      ([code, position, insertedText, continues]) =>
        `${code.slice(0, position)}${insertedText}${continues ? code.slice(position) : ''}`,
    )

const repeatCode = (codes: readonly string[]) => fc.constantFrom(...codes).map((code) => `${code}${code}`)

const json = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue(), { maxKeys: 3 }).map((value) => JSON.stringify(value))

/** JSON that is nested as deeply, or is as large, as a code can be. */
const deep = fc
  .tuple(fc.constantFrom('[', '{"part":', '[{"part":', '{"a":1,"part":['), fc.integer({ min: 1, max: 4095 }), fc.boolean())
  .map(([open, times, closes]) => {
    const opening = open.repeat(Math.floor(times / open.length))
    const end = [...opening].toReversed().flatMap((bracket) => (bracket === '[' ? ']' : bracket === '{' ? '}' : []))
    return closes ? `${opening.slice(0, 2_000)}1${end.join('')}`.slice(0, 4095) : opening
  })
const wide = fc
  .tuple(fc.constantFrom('"part":1', '"part":1e400', `"part":${'9'.repeat(400)}`, '"x":"y"'), fc.integer({ min: 1, max: 300 }))
  .map(([entry, times]) => `{${Array(times).fill(entry).join(',')}}`.slice(0, 4095))

/** A label with huge, tiny, negative or no quantities, and some fields twice. */
const counted = fc
  .tuple(
    fc.oneof(
      fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }).map(String),
      fc.double().map(String),
      fc.constantFrom('', '1e999', '1e-999', '٣', '0x10', '1,5', '1 000', '0.000001', '9999999999.99999', '99999999999999'),
    ),
    fc.constantFrom('PFUZZ', 'P', '1PFUZZ', '30PFUZZ', ''),
    fc.constantFrom('KPO-FUZZ', 'K', '1KPO-FUZZ', '11K1', ''),
  )
  .map(([quantity, product, order]) =>
    ['[)>\u001e06', order, product, `Q${quantity}`, 'Q5', `Q${quantity}\u001e\u0004`].join('\u001d'),
  )

const short = fc
  .tuple(fc.constantFrom('PA', 'SI', 'BO', 'XX', 'SL', 'SP'), fc.bigInt({ min: 0n, max: 10n ** 12n }))
  .map(([kind, pk]) => `INV-${kind}${pk}`)

/** A code of the maximum length, and one that is a character longer; with characters of one and of two units. */
const long = fc
  .constantFrom('x', '🔩', '{', '[)>', '\u001d', '7', '(01)', ' ')
  .chain((text) => fc.constantFrom(4095, 4096).map((length) => [...text.repeat(length)].slice(0, length).join('')))

/** GS1, valid and invalid. */
const gs1 = fc
  .tuple(
    fc.constantFrom('', ']C1', ']d2', 'https://id.gs1.org/', '(01)', '[)>\u001e05\u001d'),
    fc.constantFrom('0109506000134352', '01/09506000134352', '09506000134352', '0100000000000000', '0209506000134352'),
    fc.array(
      fc.constantFrom(
        '10LOT',
        '\u001d',
        '21S1',
        '17311231',
        '17310000',
        '3005',
        '30',
        '37999999999',
        '400PO-FUZZ',
        '/10/x',
        '(10)',
      ),
      { maxLength: 6 },
    ),
  )
  .map(([mark, product, rest]) => `${mark}${product}${rest.join('')}`)

/**
 * Any code.
 * @param existingCodes codes that the tested service knows
 */
export const anyCode = (existingCodes: readonly string[] = []): fc.Arbitrary<string> => {
  const codes = [...Object.values(samples), ...existingCodes]
  return fc.oneof(
    { arbitrary: fc.constantFrom(...codes), weight: 3 },
    damageCode(codes),
    repeatCode(codes),
    json,
    deep,
    wide,
    counted,
    short,
    long,
    gs1,
    units,
    fc.string({ unit: 'binary' }),
    fc.string(),
  )
}
