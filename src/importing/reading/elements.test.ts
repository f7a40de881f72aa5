import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { OperatorError } from '../../operator-error.ts'
import { type Element, readElements } from './elements.ts'

const folder = mkdtempSync(join(tmpdir(), 'stockroom-elements-'))
after(() => rmSync(folder, { recursive: true }))

async function read(content: string | Buffer, pieceSize?: number): Promise<Element[]> {
  const path = join(folder, 'list.json')
  writeFileSync(path, content)
  const file = await open(path)
  try {
    const allElements: Element[] = []
    for await (const elements of readElements(file, pieceSize)) allElements.push(...elements)
    return allElements
  } finally {
    await file.close()
  }
}

const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/)

test('property: readElements yields every element verbatim, with its line and position, wherever the pieces of the file end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(space, fc.jsonValue({ maxDepth: 3 }), space, fc.nat(3))),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      async (parts, pieceSize, hasByteOrderMark) => {
        const sources = parts.map(([, value, , indent]) => JSON.stringify(value, null, indent))
        const list = parts.map(([before, , behind], index) => `${before}${sources[index]}${behind}`)
        const content = Buffer.from(`${hasByteOrderMark ? '\uFEFF' : ''}\n [${list.join(',')}] `)
        const elements = await read(content, pieceSize)
        assert.deepEqual(
          elements.map(({ source }) => source.trim()),
          sources,
        )
        let previousEnd = 0
        for (const { line, start, end, source } of elements) {
          assert.ok(start >= previousEnd)
          previousEnd = end
          assert.equal(content.toString('utf8', start, end), source)
          assert.equal(line, content.toString('utf8', 0, start).split('\n').length)
        }
      },
    ),
  )
})

test('readElements reports elements with a number that JavaScript may write differently', async () => {
  for (const [source, expected] of [
    ['[1, 20, 999999999999999, {"a": 7}]', false],
    ['["1.10", "12345678901234567890", "1e5", "-0"]', false],
    ['{"true": false, "e": null}', false],
    ['{"a": 1.10}', true],
    ['[12345678901234567890]', true],
    ['{"a": [1e5]}', true],
    ['1E5', true],
    ['-0', true],
  ] as const) {
    const [element, next] = await read(`[${source}, 3]`, 2)
    assert.deepEqual([element?.source, element?.hasInexactNumbers, next?.hasInexactNumbers], [source, expected, false])
  }
})

test('readElements rejects a file that is not a list or is cut off, and an element that is too large', async () => {
  for (const [content, reason] of [
    ['', /not a dump/],
    [' \n ', /not a dump/],
    ['{"a": 1}', /not a dump/],
    ['\uFEFF\uFEFF[]', /not a dump/],
    ['[\n1,\n{"a": "', /truncated.*line 3/],
    ['[1, "\\"]', /truncated/],
    [Buffer.from('[\n1,\n"caf\u00e9"]', 'latin1'), /starts on line 3 is not UTF-8/],
    [Buffer.from([91, 34, 0xed, 0xa0, 0x80, 34, 93]), /starts on line 1 is not UTF-8/],
    [Buffer.concat([Buffer.from('[\n"'), Buffer.alloc(17 << 20, 'x')]), /line 2 is larger/],
  ] as const) {
    await assert.rejects(read(content), (error) => {
      assert.ok(error instanceof OperatorError)
      assert.match(error.message, reason)
      return true
    })
  }
  assert.deepEqual(await read('[]'), [])
})
