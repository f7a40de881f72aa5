import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { pino } from 'pino'
import { loadConfig } from '../../config.ts'
import { readPdf } from '../../testing/pdf.ts'
import { cannotPrint, printing } from '../../testing/printing.ts'
import { ChromiumPrinter } from './printer.ts'

const printer = new ChromiumPrinter({ config: loadConfig(await printing()), log: pino({ level: 'silent' }) })
after(() => printer.stop())
const nothing = async () => undefined

describe('a PDF', { skip: cannotPrint }, () => {
  it('has the text of the document', async () => {
    const html = '<!doctype html><p>Grüße</p><p style="break-before: page">Zwei</p>'
    const pages = await readPdf(await printer.pdf({ html, resource: nothing, page: { width: 210, height: 297 } }))
    assert.deepEqual(
      pages.map(({ text }) => text),
      ['Grüße', 'Zwei'],
    )
  })
})
