import assert from 'node:assert/strict'
import { createRenderer } from '../../../resources/printing/fixture.ts'
import type { TestService } from '../../../testing/service.ts'
import { type Print, TemplateError } from '../../rendering.ts'

/** Makes the language of a template unambiguous. */
const LOAD_TAG = '{% load report barcode inventree_extras %}'

/** Variables for the tested templates. */
export const extra = () => ({
  evil: '<b>"&\'',
  empty: '',
  none: null,
  zero: 0,
  half: 2.5,
  names: ['a', 'b', 'c'],
  colours: { red: 1, blue: 2 },
  rows: [
    { pk: 1, kind: 'x', size: 3 },
    { pk: 2, kind: 'x', size: 1 },
    { pk: 3, kind: 'y', size: 2 },
  ],
  nested: { deep: { list: [{ name: 'found' }] } },
  day: '2026-03-02',
  moment: '2026-03-02T15:05:00Z',
  price: { pk: 1, price: '1234.500000', price_currency: 'EUR', quantity: 2 },
})

/** Creates helpers that print Django templates given as strings. */
export function createTemplateHelpers(service: Pick<TestService, 'app' | 'getPk'>) {
  const { texts, render } = createRenderer(service)
  const text = async (source: string, print: Partial<Print> = {}) => (await texts(LOAD_TAG + source, print))[0]
  return {
    texts,
    render,
    text,
    /** Asserts the output of each of these templates. */
    async assertOutputs(expected: Record<string, string>, print: Partial<Print> = {}): Promise<void> {
      for (const [source, output] of Object.entries(expected))
        assert.equal(await text(source, { extra, ...print }), output, source)
    },
    assertRejected: (source: string, message: RegExp, print: Partial<Print> = {}) =>
      assert.rejects(texts(LOAD_TAG + source, print), (error: Error) => {
        assert.ok(error instanceof TemplateError, String(error.stack))
        assert.match(error.message, message)
        return true
      }),
  }
}
