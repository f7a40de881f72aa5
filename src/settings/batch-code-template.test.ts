import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkBatchCodeTemplate, MAX_BATCH_CODE_LENGTH, renderBatchCode } from './batch-code-template.ts'

const now = new Date('2024-05-01T09:04:00Z')

test('renderBatchCode replaces the variables of a template', () => {
  const cases: [string, string][] = [
    ['', ''],
    ['LOT-1', 'LOT-1'],
    ['{{ year }}-{{ month }}-{{ day }}', '2024-5-1'],
    ['{{year}}W{{  week  }} {{ hour }}:{{ minute }}', '2024W18 9:4'],
    ['B{{ date }}', 'B2024-05-01'],
    ['{{ date.strftime("%Y%m%d") }}-{{ date.strftime(\'%H\') }}', '20240501-09'],
    ['a } b { c 100%', 'a } b { c 100%'],
  ]
  for (const [template, expected] of cases) {
    assert.deepEqual(checkBatchCodeTemplate(template), [], template)
    assert.equal(renderBatchCode(template, now), expected)
  }
})

test('checkBatchCodeTemplate reports problems, and renderBatchCode returns no code for invalid templates', () => {
  assert.deepEqual(checkBatchCodeTemplate('{{ yaer }}-{{ month }}-{{ x|upper }}').map(String), [
    "Unknown template variable: 'yaer'",
    "Unknown template variable: 'x|upper'",
  ])
  const invalidTemplates = [
    '{{ year',
    'year }}',
    '{% if year %}x{% endif %}',
    '{# note #}',
    '{{ }}',
    '{{ {{ year }} }}',
    '{{ date.strftime("%Q") }}',
    '{{ constructor }}',
  ]
  for (const template of [...invalidTemplates, 'x'.repeat(MAX_BATCH_CODE_LENGTH + 1)]) {
    assert.equal(checkBatchCodeTemplate(template).length, 1, template)
    assert.equal(renderBatchCode(template, now), '')
  }
})

test('property: text without braces is unchanged, and every template yields a code of valid length', () => {
  const instants = fc.date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(
      fc.string({ maxLength: MAX_BATCH_CODE_LENGTH }),
      fc.stringMatching(/^[{}% yearm]{0,30}$/),
      instants,
      (text, template, instant) => {
        const plain = text.replace(/[{}]/g, '')
        assert.equal(renderBatchCode(plain, instant), plain)
        assert.equal(renderBatchCode(`{{ year }}${plain.slice(4)}`, instant), `${instant.getUTCFullYear()}${plain.slice(4)}`)
        assert.ok(renderBatchCode(template, instant).length <= MAX_BATCH_CODE_LENGTH)
      },
    ),
  )
})
