import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeText, detectEncoding } from './text-encoding.ts'

/** Encodes a string in a single-byte encoding. */
function encodeSingleByte(text: string, encoding: string): Buffer {
  const letters = new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder(encoding).decode(Uint8Array.of(byte)), byte] as const),
  )
  return Buffer.from([...text].map((letter) => letters.get(letter) ?? assert.fail(`${encoding} has no ${letter}`)))
}

/** Encodes a string of ASCII and two-byte characters in GB18030. */
function encodeGb18030(text: string): Buffer {
  const decoder = new TextDecoder('gb18030')
  const bytesByCharacter = new Map<string, number[]>()
  for (let lead = 0x81; lead < 0xff; lead++)
    for (let next = 0x40; next < 0xff; next++)
      if (next !== 0x7f) bytesByCharacter.set(decoder.decode(Uint8Array.of(lead, next)), [lead, next])
  return Buffer.from([...text].flatMap((letter) => bytesByCharacter.get(letter) ?? letter.charCodeAt(0)))
}

const encodeUtf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('the encoding of a table file', () => {
  const texts: [string, Buffer, string][] = [
    ['utf-8', Buffer.from('IPN,Qty\nR-10kΩ,2\n'), 'IPN,Qty\nR-10kΩ,2\n'],
    ['utf-8', Buffer.from('\uFEFFIPN,Qty\nR-1,2\n'), 'IPN,Qty\nR-1,2\n'],
    ['utf-16le', Buffer.from('\uFEFFIPN;Menge\nR-1;2\n', 'utf16le'), 'IPN;Menge\nR-1;2\n'],
    ['utf-16le', Buffer.from('IPN;Menge\nR-1;2\n', 'utf16le'), 'IPN;Menge\nR-1;2\n'],
    ['utf-16le', Buffer.from('位号,数量\n电容,2\n', 'utf16le'), '位号,数量\n电容,2\n'],
    ['utf-16be', encodeUtf16be('\uFEFFIPN;Menge\nR-1;2\n'), 'IPN;Menge\nR-1;2\n'],
    ['utf-16be', encodeUtf16be('IPN;Menge\nKörper;2\n'), 'IPN;Menge\nKörper;2\n'],
  ]
  for (const [encoding, samples] of Object.entries({
    gb18030: ['物料编码,数量,位号\nR-10K,2,R1\n', 'IPN,Qty,Name\nR-10K,2,钽电容\n', 'a,b\n贴片电阻,3\n'],
    'windows-1250': [
      'Nazwa;Ilość;Oznaczenie\nRezystor;2;R1\n',
      'Označení;Množství;Poznámka\nR1;2;přesný\n',
      'IPN;Qty;Opis\nŁ-1;2;Łożysko kulkowe\n',
      'IPN;Qty;Opis\nA;2;śruba z łbem, 5 mm\n',
      'IPN;Qty;Popis\nA;2;Počet závitů, šroub\n',
    ],
    'windows-1251': [
      'Наименование;Количество\nРезистор 10к;2\n',
      'IPN;Qty;Note\nR-10K;2;резистор, точный\n',
      'IPN;QTY;X\nR-10K;2;РЕЗИСТОР ПРОВОЛОЧНЫЙ\n',
    ],
    'windows-1252': [
      'Teil;Stückzahl\nKörper;2\n',
      'Référence;Quantité;Désignation\nR1;2;pièce à façon, 5 mm²\n',
      'Descrição;Quantidade\nligações, tensão;2\n',
      'Descripción;Cantidad\ntamaño;2\n',
      'Part;Qty\nScrew 5 µm ±1 °C Ø 3;2\n',
      'Descrizione;Quantità\nPerché;2\n',
      'IPN;Qty\nStål, rød;1\n',
    ],
  }))
    for (const text of samples)
      texts.push([encoding, encoding === 'gb18030' ? encodeGb18030(text) : encodeSingleByte(text, encoding), text])
  for (const [encoding, bytes, text] of texts)
    it(`is ${encoding} of ${JSON.stringify(text)}`, () => assert.deepEqual(decodeText(bytes), { text, encoding }))

  it('is UTF-8 for plain ASCII, an empty file, and a text with one damaged byte', () => {
    assert.equal(detectEncoding(Buffer.from('IPN,Qty\n')), 'utf-8')
    assert.equal(detectEncoding(Buffer.alloc(0)), 'utf-8')
    const text = Buffer.from(`${'Körper größer für Ärger, Übermaß, äöüÄÖÜ '.repeat(2)}`)
    assert.equal(detectEncoding(Buffer.concat([text, Buffer.from([0xc3])])), 'utf-8')
  })

  it('is the chosen one if there is one, regardless of the bytes', () =>
    assert.deepEqual(decodeText(Uint8Array.of(0xe8), 'windows-1250'), { text: 'č', encoding: 'windows-1250' }))
})
