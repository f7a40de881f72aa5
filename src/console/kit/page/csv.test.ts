import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toCsv } from './csv.ts'

it('writes cells with separators in quotes, and no formulas', () => {
  const headings = ['Part', 'Cost']
  const rows = [
    ['Screw, M3 "short"', '0.05'],
    ['=HYPERLINK(1)', '-12.5'],
    ['+49 30', '@x'],
  ]
  assert.equal(toCsv({ headings, rows }), `Part,Cost\r\n"Screw, M3 ""short""",0.05\r\n'=HYPERLINK(1),-12.5\r\n'+49 30,'@x\r\n`)
})
